// Entry point of the page.
import { render } from 'preact';
import { App } from './app';
import './style/base.css';
import './style/parts.css';
import './style/shell.css';
import './style/jobs.css';
import './style/job.css';
import './style/library.css';
import './style/add.css';
import './style/images.css';
import { apply_theme, saved_theme } from './theme';

apply_theme(saved_theme());
render(<App />, document.getElementById('app')!);
