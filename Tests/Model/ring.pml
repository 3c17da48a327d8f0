/* The ring's protocol, for spin: Sources/Capture/RingProducer.swift and RingConsumer.swift without everything
 * that cannot go wrong between two threads. It checks, over all interleavings:
 *
 *   - no torn frame: a record is read as it was written, and never overwritten before it is released;
 *   - no lost record: each arrives once and in order, and none is left when the producer has closed the ring;
 *   - no deadlock: both processes end.
 *
 * The consumer acts as the writer does while armed: it scans ahead of what it pops, and drops the oldest record
 * at any time. Records take one or two cells of the arena, so that they wrap around its end. The producer starts
 * again at the arena's start if everything has been read, and loses a record if the ring is full. Such a loss is
 * counted.
 *
 * Each step that the other thread could observe is separate; a thread's work between two such steps is not.
 * Memory is sequentially consistent here; ThreadSanitizer checks the memory orders: see script/test ring. Stores
 * are separate steps in program order, so a planted error in their order is caught: PLANT=1 publishes a record
 * before it is written, PLANT=2 releases it before it is read, PLANT=3 stores a rewind after the head that
 * follows it.
 */
#ifndef PLANT
#define PLANT 0
#endif
#define CAPACITY 4
#define RECORDS 4
#define REWIND_FROM 1
#define NONE 255

byte cell[CAPACITY];       /* the content of each cell: a record's number, or garbage while it is written */
byte size[CAPACITY];       /* in the first cell of a record: its number of cells */
byte published, released;  /* counted in cells, without wrapping */
byte rewoundFrom = NONE;
bool closed;

byte told;                 /* the number of records that were accepted or refused */
byte refused;

#define GARBAGE 99
#define at(place) ((place) % CAPACITY)

/* A rewind, in either order. */
inline rewind() {
  if
  :: at(head) >= REWIND_FROM && released == head ->
#if PLANT == 3
     lateRewind = head;
#else
     rewoundFrom = head;
#endif
     head = head + CAPACITY - at(head);
     rewoundTo = head;
     knownTail = head
  :: else
  fi
}

active proctype producer() {
  byte head = 0, knownTail = 0, rewoundTo = 0, cells, i;
#if PLANT == 3
  byte lateRewind = NONE;
#endif
  do
  :: told < RECORDS ->
     if :: cells = 1 :: cells = 2 fi;
     atomic { rewind() }
     atomic {
       if
       :: head + cells - knownTail <= CAPACITY
       :: else ->
          knownTail = released;
          if :: rewoundTo > knownTail -> knownTail = rewoundTo :: else fi
       fi
     }
     if
     :: head + cells - knownTail <= CAPACITY ->
#if PLANT == 1
        published = head + cells;
#endif
        d_step {
          size[at(head)] = cells;
          for (i : 0 .. cells - 1) { cell[at(head + i)] = GARBAGE }
          i = 0
        }
        d_step {
          for (i : 0 .. cells - 1) { cell[at(head + i)] = told }
          i = 0;
          head = head + cells
        }
        published = head;
#if PLANT == 3
        if :: lateRewind != NONE -> rewoundFrom = lateRewind; lateRewind = NONE :: else fi
#endif
     :: else -> refused++
     fi;
     told++
  :: else -> break
  od;
  closed = true
}

/* Sets `found` to whether there is a record at `place`, which is the tail or the end of the last scan. */
inline look(place) {
  found = true;
  if
  :: place == knownHead ->
     knownHead = published;
     if
     :: place == knownHead -> found = false
     :: place != knownHead && place == tail ->
        seen = rewoundFrom;
        if
        :: tail == seen ->
           tail = tail + CAPACITY - at(tail);
           if :: scanned < tail -> scanned = tail :: else fi
        :: else
        fi
     :: else
     fi
  :: else
  fi
}

active proctype consumer() {
  byte tail = 0, scanned = 0, knownHead = 0, seen, popped = 0, cells, i, number, last = NONE;
  bool found;
  do
  :: atomic { /* scan ahead, but only if there is something: another look would change nothing */
     scanned != published ->
     look(scanned);
     if
     :: found ->
        cells = size[at(scanned)];
        assert(cells == 1 || cells == 2);
        assert(cell[at(scanned)] < RECORDS);
        scanned = scanned + cells;
        cells = 0
     :: else
     fi;
     found = false
     }
  :: atomic { tail != published -> look(tail) } /* pop */
     if
     :: found ->
#if PLANT == 2
        released = tail + size[at(tail)];
#endif
        d_step {
          cells = size[at(tail)];
          assert(cells == 1 || cells == 2);
          number = cell[at(tail)];
          assert(number < RECORDS);
          assert(last == NONE || number > last);
          for (i : 0 .. cells - 1) { assert(cell[at(tail + i)] == number) }
          i = 0;
          last = number;
          popped++;
          tail = tail + cells;
          cells = 0;
          number = 0;
          if :: scanned < tail -> scanned = tail :: else fi
        }
        released = tail
     :: else
     fi
  :: atomic { closed && tail == published -> break }
  od;
  assert(popped + refused == RECORDS)
}
