/*
 * A model of the lease: claim, beat, fence and rescue, in the same steps as
 * src/store/sqlite/lease.cc, src/store/sqlite/move.cc and src/flow/sweep.cc. Every block that
 * touches the row is one transaction. Between two of them anything may happen, and the search tries
 * every order.
 *
 * There is one job, because jobs share nothing but their worker's beat. Its lifecycle is the
 * smallest one with both answers to a lost worker: RUNNING goes back to WAITING, LANDING keeps its
 * state and is adopted. In LANDING neither state nor seq shows that the holder has changed.
 *
 * Most properties are an assert() at the place where they could break. The formula at the end of
 * the file says that the job ends. Macros select the wrong forms, and run.sh expects each of them
 * to fail.
 */

#define WORKERS 2
#define NO_WORKER  WORKERS

/* The bounds. Neither a release nor a short pause counts an attempt, so each needs its own. */
#define ATTEMPTS 3 /* The third loss ends the job. */
#ifndef RELEASES
#define RELEASES 2
#endif
#ifndef PAUSES
#define PAUSES 2
#endif

mtype = {WAITING, RUNNING, LANDING, DONE, FAILED, CANCELLED};
mtype = {LIVE, PAUSED, DEAD};

/* The job as a process last read it. */
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
byte holder = NO_WORKER;
byte releases;

/* The workers, and the asks they have queued. */
mtype life[WORKERS] = LIVE;
bool asks[WORKERS];
Seen asked[WORKERS];

/* A beat is only compared with the one value the sweeper remembers, and a counter never returns to
 * an earlier value. So one bit is enough: whether it has changed since. It needs no bound on
 * time. */
bool doubted[WORKERS];    /* The sweeper has seen the same beat for a whole lease. */
bool has_beaten[WORKERS]; /* The counter has changed since the sweeper looked. */

/* Only assertions read these variables, no process decides by them. The exception is slept, which
 * also models how time passes; see SEEMS_SILENT. */
byte lease;          /* The number of the current lease, or of the last one. */
byte ends;           /* Moves into a state that ends the job. */
byte landings;       /* Moves into LANDING; its effect must not happen twice either. */
bool slept[WORKERS]; /* The worker has paused, and has not beaten since. */

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

/* A lease is longer than the time between two beats. So a worker that has not slept has beaten
 * during it, and a reader of the counter sees that. */
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

/* Resets to fixed values; otherwise the search would treat equal states as different. */
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
  :: ENDED -> ends++; assert(ends == 1); holder = NO_WORKER
  :: state == LANDING -> landings++; assert(landings == 1)
  :: state == WAITING -> holder = NO_WORKER
  :: else
  fi
}

/* The worker queues an ask from what it sees now, unless an older one is still in its queue. */
inline lease_to(w) {
  holder = w;
  lease++;
  if
  :: !asks[w] -> see(asked[w]); asks[w] = true
  :: else
  fi
}

/* Neither branch raises the fence: the next claim does. */
inline give_back() {
  if
  :: state == RUNNING -> enter(WAITING)
  :: else -> holder = NO_WORKER
  fi
}

/* A rescue is one transaction. */
inline rescue() {
  attempt++;
  assert(attempt <= ATTEMPTS);
  if
  :: attempt == ATTEMPTS -> enter(FAILED)
  :: attempt < ATTEMPTS && state == RUNNING -> enter(WAITING)
  :: attempt < ATTEMPTS && state == LANDING -> set_fence(fence + 1); holder = NO_WORKER
  fi
}

inline beat(w) {
#ifndef BEAT_WITHOUT_COUNTER
  has_beaten[w] = doubted[w]; /* The value matters only while the sweeper is about to compare it. */
#endif
  slept[w] = false
}

/* Takes the job, acts on what it saw, and asks for the next move. It queues the ask when it takes
 * the job and sends it at any later time; the acting happens in between. The ask outlives a loss, a
 * release and the next claim, so a worker can send an ask from its own earlier lease. Pauses need
 * no code here: a paused worker takes no steps. */
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
       life[me] == LIVE && (state == RUNNING || state == LANDING) && holder == NO_WORKER ->
#ifndef ADOPT_SAME_FENCE
       set_fence(fence + 1);
#endif
       lease_to(me)
     }

  :: atomic {
       life[me] == LIVE && asks[me] ->
       /* Writes of items and intents compare only fence and worker. A write from an old lease must
        * not be accepted as one of the current lease. */
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
          :: skip /* The answer is lost, so the worker will ask again. */
          :: ENDED -> drop(me)
          :: !ENDED -> see(asked[me])
          fi
       :: else -> drop(me)
       fi
     }

  /* The worker releases the job while the ask is still in its queue. */
  :: d_step {
       life[me] == LIVE && asks[me] && holder == me && releases < RELEASES ->
       releases++;
       give_back()
     }

#ifndef NO_TIDY
  /* A refusal makes a worker forget the job, even if the ask was an old one and the worker has
   * claimed the job again. Then the worker holds a lease it does not know of, and gives it back. */
  :: d_step { life[me] == LIVE && !asks[me] && holder == me -> give_back() }
#endif
  od
}

/* The heartbeats of the workers. They are a separate process: with fairness per process, a worker
 * could otherwise beat for ever and never do its work. Beats that change nothing are left out. */
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

/* Pauses a worker at any point, for any time, and then wakes or kills it. Workers that are paused
 * when the job ends are still woken, because they may ask for a move then. */
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
  :: !ENDED && !ANY_PAUSED -> break /* Pauses are optional. */
  od
}

/* Watches one worker. The look and the rescue are two transactions, and the worker can wake up and
 * beat in between, so the rescue compares the beat again. */
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

/* Cancels the job if the row is still as the user saw it. A user has no lease, so the holder is not
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

/* When no process can take a step, the job has ended or all workers are dead. This replaces Spin's
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

/* Checked under weak fairness: a process that can always take a step takes one in the end. Only for
 * the model without the user, because a fair user ends every job. */
ltl job_ends { <> (ENDED || ALL_DEAD) }
