// sign.mjs FILE: reads one JSON request per line and prints what aws4 makes of it: the
// Authorization header, or for a link its path and query.
import { readFileSync } from 'node:fs'
import aws4 from 'aws4'

for (const line of readFileSync(process.argv[2], 'utf8').split('\n')) {
  if (line === '') continue
  const { access_key, secret_key, link, ...request } = JSON.parse(line)
  const keys = { accessKeyId: access_key, secretAccessKey: secret_key }
  const signed = aws4.sign({ service: 's3', ...request, signQuery: link }, keys)
  console.log(link ? signed.path : signed.headers.Authorization)
}
