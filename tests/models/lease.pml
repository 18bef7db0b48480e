/*
 * The lease: claim, beat, fence and rescue, in the steps in which src/store/sqlite/lease.cc, move.cc
 * and src/flow/sweep.cc do them. Every atomic block that touches the row stands for one transaction;
 * between two of them anything may happen, and the search tries all of it.
 *
 * There is one job, because jobs share nothing but their worker's beat. Its lifecycle is the
 * smallest one with both answers to a lost worker: RUNNING goes back to WAITING, LANDING stays what
 * it is and is adopted. In LANDING neither state nor seq shows that the holder has changed.
 *
 * What is checked while searching is written as assert(). That the job ends, as long as a worker is
 * left, is the formula at the end of this file. The wrong forms are chosen by macro; run.sh expects
 * each of them to fail.
 */

#define WORKERS  2
#define NOBODY   WORKERS
#define ATTEMPTS 3 /* The third loss ends the job. */
#define RELEASES 2 /* A release counts no attempt, so something else must bound it. */
#define PAUSES   2

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

/* The workers, and what the sweeper has heard of them. Nobody does anything with a beat but compare
 * it with the one value the sweeper remembers, and a counter never comes back to a value it had. So
 * whether it is another value than the one heard is all there is to know about it, and one bit says
 * that without a bound on time. */
mtype life[WORKERS] = LIVE;
bool is_new[WORKERS];

/* Witnesses: nobody decides by these, only assertions look at them. */
byte lease;          /* Counts leases: the number of the one running, or of the last. */
byte ends;           /* Moves into a state that ends the job. */
byte landings;       /* Moves into LANDING: its effect must not be had twice. */
bool slept[WORKERS]; /* It has paused, and has not beaten since. */

byte releases;

#define ENDED       (state == DONE || state == FAILED || state == CANCELLED)
#define ALIVE       (life[me] == LIVE)
#define IS_LEASED   (state == RUNNING || state == LANDING)

#ifdef NO_COMPARE
#define SAME_ROW(a) true
#else
#define SAME_ROW(a) (state == a.state && seq == a.seq)
#endif

#ifdef NO_FENCE
#define SAME_FENCE(a) true
#define SAME_HOLDER   true
#else
#define SAME_FENCE(a) (fence == a.fence)
#define SAME_HOLDER   (holder == me)
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

inline set_fence(to) {
  assert(to >= fence);
  fence = to
}

inline unlease() {
  holder = NOBODY
}

inline lease_to(who) {
  holder = who;
  lease++
}

inline enter(to) {
  state = to;
  seq++;
  if
  :: ENDED -> ends++; assert(ends == 1); unlease()
  :: state == LANDING -> landings++; assert(landings == 1)
  :: state == WAITING -> unlease()
  :: else
  fi
}

inline count_loss() {
  attempt++;
  assert(attempt <= ATTEMPTS)
}

inline beat(who) {
#ifndef BEAT_WITHOUT_COUNTER
  is_new[who] = true;
#endif
  slept[who] = false
}

/* A worker has two things in hand: the job as it last saw it, and at most one ask that is queued but
 * not sent. The ask outlives a release, a loss and the next claim, and that is what makes zombies
 * inside one process. Pauses need no code here: they are steps that do not come. */
proctype Worker(byte me) {
  Seen held;
  Seen asked;
  bool holds;
  bool asks;

end:
  do
  /* A worker that is gone, or has nothing left in hand when the job is over. */
  :: atomic { life[me] == DEAD || (ENDED && !holds && !asks) -> break }

  :: atomic {
       ALIVE && state == WAITING ->
       set_fence(fence + 1);
       enter(RUNNING);
       lease_to(me);
       see(held);
       holds = true
     }

  :: atomic {
       ALIVE && IS_LEASED && holder == NOBODY ->
#ifndef ADOPT_SAME_FENCE
       set_fence(fence + 1);
#endif
       lease_to(me);
       see(held);
       holds = true
     }

  /* It acts on what it saw, which may long be past, and wants the move that follows. */
  :: atomic {
       ALIVE && holds && !asks ->
       asked.state = held.state;
       asked.seq = held.seq;
       asked.fence = held.fence;
       asked.lease = held.lease;
       asks = true
     }

  :: atomic {
       ALIVE && asks ->
       /* Writes beside a move, of items and intents, compare worker and fence and no more. One sent
        * at this moment must not be taken for one of the lease that is running now. */
       assert(!(holder == me && fence == asked.fence) || lease == asked.lease);
       if
       :: SAME_ROW(asked) && SAME_FENCE(asked) && SAME_HOLDER ->
          assert(holder == me && lease == asked.lease);
          set_fence(asked.fence);
          if
          :: asked.state == RUNNING -> enter(LANDING)
          :: else -> enter(DONE)
          fi;
          if
          :: ENDED -> asks = false; holds = false; forget(held); forget(asked)
          :: else -> asks = false; see(held); forget(asked)
          :: skip /* The answer is lost on the way, so it asks again. */
          fi
       :: else -> asks = false; holds = false; forget(held); forget(asked)
       fi
     }

  /* It gives the job back, and whatever the answer, it no longer has it. */
  :: atomic {
       ALIVE && holds && releases < RELEASES ->
       releases++;
       if
       :: state == held.state && seq == held.seq && fence == held.fence && holder == me ->
          if
          :: state == RUNNING -> enter(WAITING)
          :: else -> unlease()
          fi
       :: else
       fi;
       holds = false;
       forget(held)
     }

#ifndef NO_TIDY
  /* The refusal of an old ask makes it forget a job that it has taken up again. */
  :: atomic {
       ALIVE && !holds && holder == me ->
       if
       :: state == RUNNING -> enter(WAITING)
       :: else -> unlease()
       fi
     }
#endif
  od
}

/* The hearts of the workers. They are a process of their own, because one that beats for ever and
 * never gets to its work would be fair to itself. */
proctype Hearts() {
  do
  :: atomic { ENDED -> break }
  :: atomic { life[0] == LIVE && (slept[0] || !is_new[0]) -> beat(0) }
  :: atomic { life[1] == LIVE && (slept[1] || !is_new[1]) -> beat(1) }
  od
}

/* Pauses workers wherever they are, for as long as it likes, wakes them or ends them. */
proctype Fate() {
  byte w;
  byte pauses;
  do
  :: atomic { life[0] != PAUSED && life[1] != PAUSED -> break }
  :: atomic {
       pauses < PAUSES && (life[0] == LIVE || life[1] == LIVE) ->
       if
       :: life[0] == LIVE -> w = 0
       :: life[1] == LIVE -> w = 1
       fi;
       life[w] = PAUSED;
       slept[w] = true;
       pauses++;
       w = 0
     }
  :: atomic {
       life[0] == PAUSED || life[1] == PAUSED ->
       if
       :: life[0] == PAUSED -> w = 0
       :: life[1] == PAUSED -> w = 1
       fi;
       if
       :: life[w] = LIVE
       :: life[w] = DEAD
       fi;
       w = 0
     }
  od
}

/* Hears a beat, lets a whole lease pass, looks whether it is still the same, and rescues: for one
 * worker after the other. The look and the rescue are two transactions, and the worker can wake up
 * and beat between them; the beat is compared again inside the second. */
proctype Sweeper() {
  byte w;
  bool silent;
  do
  :: atomic { ENDED -> break }
  :: atomic { !ENDED -> is_new[w] = false }
     /* A lease is longer than the time between two beats: who has not slept has beaten in it. */
     atomic {
       if
       :: !slept[w] -> beat(w)
       :: else
       fi;
       silent = !is_new[w]
     }
     atomic {
       if
#ifdef RESCUE_BY_MEMORY
       :: silent && holder == w ->
#else
       :: silent && !is_new[w] && holder == w ->
#endif
          assert(slept[w]);
          count_loss();
          if
          :: attempt == ATTEMPTS -> enter(FAILED)
          :: attempt < ATTEMPTS && state == RUNNING -> enter(WAITING)
          :: attempt < ATTEMPTS && state == LANDING -> set_fence(fence + 1); unlease()
          fi
       :: else
       fi;
       silent = false;
       w = 1 - w
     }
  od
}

/* Sees the job and cancels it if it still looks like that. A user has no lease, so the holder is not
 * compared. */
proctype User() {
  Seen seen;
  do
  :: break
  :: atomic { !ENDED -> see(seen) }
     atomic {
       if
       :: SAME_ROW(seen) && SAME_FENCE(seen) -> set_fence(seen.fence); enter(CANCELLED)
       :: else
       fi;
       forget(seen)
     }
  od
}

init {
  atomic {
    run Worker(0);
    run Worker(1);
    run Hearts();
    run Fate();
    run Sweeper();
    run User()
  }
}

/* Under weak fairness: each process that can go on does so in the end. */
ltl job_ends { <> (ENDED || (life[0] == DEAD && life[1] == DEAD)) }
