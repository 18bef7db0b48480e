/*
 * The lease: claim, beat, fence and rescue, in the steps in which src/store/sqlite/lease.cc,
 * src/store/sqlite/move.cc and src/flow/sweep.cc take them. Every block that touches the row stands
 * for one transaction; between two of them anything may happen, and the search tries all of it.
 *
 * There is one job, because jobs share nothing but their worker's beat. Its lifecycle is the
 * smallest one with both answers to a lost worker: RUNNING goes back to WAITING, LANDING stays what
 * it is and is adopted. In LANDING neither state nor seq shows that the holder has changed.
 *
 * Most of what must hold is an assert() where it could break; that the job ends is the formula at
 * the end. The wrong forms are chosen by macro, and run.sh expects each of them to fail.
 */

#define WORKERS 2
#define NOBODY  WORKERS

/* The bounds. A release counts no attempt and a short pause costs none, so both need their own. */
#define ATTEMPTS 3 /* The third loss ends the job. */
#ifndef RELEASES
#define RELEASES 2
#endif
#ifndef PAUSES
#define PAUSES 2
#endif

mtype = {WAITING, RUNNING, LANDING, DONE, FAILED, CANCELLED};
mtype = {LIVE, PAUSED, DEAD};

/* A job as somebody saw it. */
typedef Seen {
  mtype state;
  byte seq;
  byte fence;
  byte lease
};

/* The row. */
mtype state = WAITING;
byte seq;
byte fence;
byte attempt;
byte holder = NOBODY;
byte releases;

/* The workers, and what they have queued. */
mtype life[WORKERS] = LIVE;
bool asks[WORKERS];
Seen asked[WORKERS];

/* Nobody does anything with a beat but compare it with the one value the sweeper remembers, and a
 * counter never comes back to a value it had. So whether it has changed since is all there is to
 * know about it, and one bit says that without a bound on time. */
bool doubted[WORKERS];    /* The sweeper has seen the same beat for the whole of a lease. */
bool has_beaten[WORKERS]; /* The counter has changed since the sweeper looked. */

/* Witnesses: nobody decides by these, only assertions look at them. The one exception is slept,
 * which also says how time passes; see SEEMS_SILENT. */
byte lease;          /* Counts leases: the number of the one running, or of the last. */
byte ends;           /* Moves into a state that ends the job. */
byte landings;       /* Moves into LANDING; its effect must not be had twice either. */
bool slept[WORKERS]; /* It has paused, and has not beaten since. */

#define ENDED      (state == DONE || state == FAILED || state == CANCELLED)
#define ALL_DEAD   (life[0] == DEAD && life[1] == DEAD)
#define ANY_PAUSED (life[0] == PAUSED || life[1] == PAUSED)

#ifdef NO_COMPARE
#define SAME_ROW(a) true
#else
#define SAME_ROW(a) (state == a.state && seq == a.seq)
#endif

#ifdef NO_FENCE
#define SAME_FENCE(a)  true
#define SAME_HOLDER(w) true
#else
#define SAME_FENCE(a)  (fence == a.fence)
#define SAME_HOLDER(w) (holder == w)
#endif

/* A lease is longer than the time between two beats, so a worker that has not slept has beaten in
 * it, and whoever reads the counter sees that. */
#ifdef BEAT_WITHOUT_COUNTER
#define SEEMS_SILENT(w) true
#else
#define SEEMS_SILENT(w) slept[w]
#endif

#ifdef RESCUE_BY_MEMORY
#define STILL_SILENT(w) true
#else
#define STILL_SILENT(w) (!has_beaten[w])
#endif

inline see(a) {
  a.state = state;
  a.seq = seq;
  a.fence = fence;
  a.lease = lease
}

/* What is forgotten must look the same every time, or the search would tell equal states apart. */
inline forget(a) {
  a.state = 0;
  a.seq = 0;
  a.fence = 0;
  a.lease = 0
}

inline drop(w) {
  asks[w] = false;
  forget(asked[w])
}

inline set_fence(to) {
  assert(to >= fence);
  fence = to
}

inline enter(to) {
  state = to;
  seq++;
  if
  :: ENDED -> ends++; assert(ends == 1); holder = NOBODY
  :: state == LANDING -> landings++; assert(landings == 1)
  :: state == WAITING -> holder = NOBODY
  :: else
  fi
}

/* The worker's next ask is what it sees now, unless an older one is still in its queue. */
inline lease_to(w) {
  holder = w;
  lease++;
  if
  :: !asks[w] -> see(asked[w]); asks[w] = true
  :: else
  fi
}

/* Neither way raises the fence: the next to take the job does. */
inline give_back() {
  if
  :: state == RUNNING -> enter(WAITING)
  :: else -> holder = NOBODY
  fi
}

/* One transaction, as all that a rescue does. */
inline rescue() {
  attempt++;
  assert(attempt <= ATTEMPTS);
  if
  :: attempt == ATTEMPTS -> enter(FAILED)
  :: attempt < ATTEMPTS && state == RUNNING -> enter(WAITING)
  :: attempt < ATTEMPTS && state == LANDING -> set_fence(fence + 1); holder = NOBODY
  fi
}

inline beat(w) {
#ifndef BEAT_WITHOUT_COUNTER
  has_beaten[w] = doubted[w]; /* The value matters only while somebody is about to compare it. */
#endif
  slept[w] = false
}

/* Takes the job, acts on what it saw, and asks for the move that follows. The ask is written down
 * when the job is taken and sent at any time after: acting is the time between. It outlives a loss,
 * a release and the next claim, so a worker can be a zombie of itself. Pauses need no code here:
 * they are steps that do not come. */
proctype Worker(byte me) {
end:
  do
  :: d_step {
       life[me] == LIVE && state == WAITING ->
       set_fence(fence + 1);
       enter(RUNNING);
       lease_to(me)
     }

  :: d_step {
       life[me] == LIVE && (state == RUNNING || state == LANDING) && holder == NOBODY ->
#ifndef ADOPT_SAME_FENCE
       set_fence(fence + 1);
#endif
       lease_to(me)
     }

  :: atomic {
       life[me] == LIVE && asks[me] ->
       /* Writes beside a move, of items and intents, compare fence and worker and no more. One that
        * comes at this moment must not pass for one of the lease that is running now. */
       assert(!(fence == asked[me].fence && holder == me) || lease == asked[me].lease);
       if
       :: SAME_ROW(asked[me]) && SAME_FENCE(asked[me]) && SAME_HOLDER(me) ->
          d_step {
            assert(holder == me && lease == asked[me].lease);
            set_fence(asked[me].fence);
            if
            :: asked[me].state == RUNNING -> enter(LANDING)
            :: else -> enter(DONE)
            fi
          }
          if
          :: skip /* The answer is lost on the way, so it will ask again. */
          :: ENDED -> drop(me)
          :: !ENDED -> see(asked[me])
          fi
       :: else -> drop(me)
       fi
     }

  /* It gives the job back with the ask still in its queue. */
  :: d_step {
       life[me] == LIVE && asks[me] && holder == me && releases < RELEASES ->
       releases++;
       give_back()
     }

#ifndef NO_TIDY
  /* A refusal makes a worker forget the job, even if the ask was an old one and the worker has
   * taken the job up again. Then the job is leased to somebody who does not know. */
  :: d_step { life[me] == LIVE && !asks[me] && holder == me -> give_back() }
#endif
  od
}

/* The hearts of the workers. They are a process of their own, because a worker that beats for ever
 * and never gets to its work would be fair to itself. Beats that change nothing are left out. */
proctype Hearts() {
end:
  do
  :: d_step { !ENDED && life[0] == LIVE && (slept[0] || doubted[0] != has_beaten[0]) -> beat(0) }
  :: d_step { !ENDED && life[1] == LIVE && (slept[1] || doubted[1] != has_beaten[1]) -> beat(1) }
  od
}

inline pause(w) {
  life[w] = PAUSED;
  slept[w] = true;
  pauses++
}

/* Pauses a worker wherever it is, for as long as it likes, and wakes it or ends it. Workers that
 * the end of the job finds asleep are still woken, for what they will ask then. */
proctype Fate() {
  byte pauses;
end:
  do
  :: d_step { !ENDED && pauses < PAUSES && life[0] == LIVE -> pause(0) }
  :: d_step { !ENDED && pauses < PAUSES && life[1] == LIVE -> pause(1) }
  :: d_step { life[0] == PAUSED -> life[0] = LIVE }
  :: d_step { life[1] == PAUSED -> life[1] = LIVE }
  :: d_step { life[0] == PAUSED -> life[0] = DEAD; drop(0) }
  :: d_step { life[1] == PAUSED -> life[1] = DEAD; drop(1) }
  :: !ENDED && !ANY_PAUSED -> break /* Nobody is owed a pause. */
  od
}

/* Watches one worker. The look and the rescue are two transactions, and the worker can wake up and
 * beat between them; so the second compares the beat again. */
proctype Sweeper(byte w) {
end:
  do
  :: d_step { !ENDED && !doubted[w] && SEEMS_SILENT(w) -> doubted[w] = true }
  :: d_step {
       !ENDED && doubted[w] ->
       if
       :: STILL_SILENT(w) && holder == w -> assert(slept[w]); rescue()
       :: else
       fi;
       doubted[w] = false;
       has_beaten[w] = false
     }
  od
}

/* Cancels the job if it still looks as it was seen. A user has no lease, so the holder is not
 * compared. */
proctype User() {
  Seen seen;
end:
  do
  :: d_step { !ENDED -> see(seen) }
     d_step {
       if
       :: SAME_ROW(seen) && SAME_FENCE(seen) -> set_fence(seen.fence); enter(CANCELLED)
       :: else
       fi;
       forget(seen)
     }
  od
}

/* Where nothing can happen any more, the job is over, or nobody is left. This stands in for Spin's
 * search for invalid end states: processes that end one by one would multiply the states. */
proctype Judge() {
end:
  timeout -> assert(ENDED || ALL_DEAD)
}

init {
  atomic {
    run Worker(0);
    run Worker(1);
    run Hearts();
    run Fate();
    run Sweeper(0);
    run Sweeper(1);
#ifdef USER
    run User();
#endif
    run Judge()
  }
}

/* Under weak fairness: a process that can go on does so in the end. It is for the model without the
 * user, because a user who is fair ends every job. */
ltl job_ends { <> (ENDED || ALL_DEAD) }
