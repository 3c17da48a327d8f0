/* The ring's protocol, for spin: Sources/Capture/Ring/RingProducer.swift and RingConsumer.swift without everything
 * that cannot go wrong between two threads. It checks, over all interleavings and all values that a processor with
 * weakly ordered memory, such as arm64, may show:
 *
 *   - no race: a thread that reads or overwrites a record is certain that the other has finished with it;
 *   - no lost record: each arrives once and in order, and none is left when the producer has closed the ring;
 *   - no deadlock: both processes end.
 *
 * The consumer acts as the writer does while armed: it scans ahead of what it pops, and drops the oldest record
 * at any time. Records take one or two cells of the arena, so that they wrap around its end. The producer starts
 * again at the arena's start if everything has been read, and loses a record if the ring is full. Such a loss is
 * counted.
 *
 * Memory is that of C++ and Swift. Each shared index has one writer, so its stores have one order, which is its
 * history here. A load returns any store of it that is not older than one that its thread knows of. A thread knows of what
 * it has loaded, and by an acquiring load also of everything that the other had done before its releasing store.
 * A store is never seen before it is made: each is a release, or follows an acquiring load on which it depends.
 *
 * Planted errors must be found. PLANT=1 publishes a record before it is written, PLANT=2 releases it before it is
 * read, PLANT=3 stores a rewind after the head that follows it. PLANT=4, 5 and 6 make the load and store of the
 * published head, of the released tail, and of the end relaxed.
 */
#ifndef PLANT
#define PLANT 0
#endif
#define CAPACITY 4
#ifndef RECORDS
#define RECORDS 6
#endif
#define REWIND_FROM 1
#define NONE 255

/* The arena. What is not atomic has no history: reading or writing it too early is an error. */
byte content[CAPACITY];             /* the number of the record that the cell belongs to */
byte size[CAPACITY];                /* in the first cell of a record: its number of cells */
byte writtenBefore[CAPACITY] = NONE; /* the store of `published` that follows the last write */
byte readBefore[CAPACITY];          /* the store of `released` that follows the last read */

/* The histories, with the index of the newest store. Positions are counted in cells, without wrapping. */
byte published[RECORDS + 1], lastPublished;
byte rewindsBefore[RECORDS + 1];    /* the store of `rewoundFrom` before that of `published` */
byte released[RECORDS + 1], lastReleased;
byte rewoundFrom[RECORDS + 1] = NONE, lastRewound;
bool closed;

byte told;                          /* the number of records that were accepted or refused */
byte refused;

#define at(place) ((place) % CAPACITY)

/* Sets `index` to that of any store from `known` on, and remembers it. */
inline load(index, known, newest) {
  index = known;
  do
  :: index < newest -> index++
  :: break
  od;
  known = index
}

inline loadReleased() {
  load(i, knownReleased, lastReleased);
#if PLANT != 5
  acquired = i;
#endif
  value = released[i];
  i = 0
}

inline storeRewind(place) {
  lastRewound++;
  rewoundFrom[lastRewound] = place
}

inline storePublished(place) {
  lastPublished++;
  published[lastPublished] = place;
  rewindsBefore[lastPublished] = lastRewound
}

/* The record `told` is written by a store of `published` to come. */
inline write() {
  size[at(head)] = cells;
  for (i : 0 .. cells - 1) {
    assert(acquired >= readBefore[at(head + i)]);
    content[at(head + i)] = told;
    writtenBefore[at(head + i)] = lastPublished + 1
  }
  i = 0
}

active proctype producer() {
  byte head = 0, knownTail = 0, rewoundTo = 0, cells, i, value;
  byte knownReleased = 0; /* the newest store of it that was loaded */
  byte acquired = 0;      /* the newest store of it whose past is known */
#if PLANT == 3
  byte lateRewind = NONE;
#endif
  do
  :: told < RECORDS ->
     if :: cells = 1 :: cells = 2 fi;
     if
     :: at(head) >= REWIND_FROM ->
        atomic { loadReleased() }
        if
        :: value == head ->
#if PLANT == 3
           lateRewind = head;
#else
           atomic { storeRewind(head) }
#endif
           d_step {
             head = head + CAPACITY - at(head);
             rewoundTo = head;
             knownTail = head
           }
        :: else
        fi
     :: else
     fi;
     if
     :: head + cells - knownTail <= CAPACITY
     :: else ->
        atomic {
          loadReleased();
          knownTail = (value > rewoundTo -> value : rewoundTo)
        }
     fi;
     value = 0;
     if
     :: head + cells - knownTail <= CAPACITY ->
#if PLANT == 1
        atomic { storePublished(head + cells) }
        d_step { write(); head = head + cells }
#else
        d_step { write(); head = head + cells }
        atomic { storePublished(head) }
#endif
#if PLANT == 3
        if :: lateRewind != NONE -> atomic { storeRewind(lateRewind); lateRewind = NONE } :: else fi
#endif
     :: else -> refused++
     fi;
     told++
  :: else -> break
  od;
  closed = true
}

inline acquire(store) {
  if :: acquired < store -> acquired = store :: else fi;
  if :: knownRewind < rewindsBefore[store] -> knownRewind = rewindsBefore[store] :: else fi
}

/* Sets `found` to whether there is a record at `place`, which is the tail or the end of the last scan. */
inline look(place) {
  found = true;
  if
  :: place == knownHead ->
     atomic {
       load(i, knownPublished, lastPublished);
       knownHead = published[i];
#if PLANT != 4
       acquire(i);
#endif
       i = 0
     }
     if
     :: place == knownHead -> found = false
     :: place != knownHead && place == tail ->
        atomic {
          load(i, knownRewind, lastRewound);
          if
          :: tail == rewoundFrom[i] ->
             tail = tail + CAPACITY - at(tail);
             if :: scanned < tail -> scanned = tail :: else fi
          :: else
          fi;
          i = 0
        }
     :: else
     fi
  :: else
  fi
}

/* Reads the record at `place`. */
inline read(place) {
  assert(acquired >= writtenBefore[at(place)]);
  cells = size[at(place)];
  number = content[at(place)];
  for (i : 0 .. cells - 1) {
    assert(acquired >= writtenBefore[at(place + i)]);
    assert(content[at(place + i)] == number);
    readBefore[at(place + i)] = lastReleased + 1
  }
  i = 0
}

inline storeReleased(place) {
  lastReleased++;
  released[lastReleased] = place
}

active proctype consumer() {
  byte tail = 0, scanned = 0, knownHead = 0, popped = 0, cells, i, number, last = NONE;
  byte knownPublished = 0, knownRewind = 0; /* the newest stores that were loaded, or that must have been made */
  byte acquired = 0;                        /* the newest store of `published` whose past is known */
  bool found, isEnding;
  do
  :: look(scanned); /* scan ahead */
     if
     :: found -> d_step { read(scanned); scanned = scanned + cells; cells = 0; number = 0 }
     :: else
     fi;
     found = false
  :: look(tail); /* pop */
     if
     :: found ->
#if PLANT == 2
        atomic { storeReleased(tail + size[at(tail)]) }
#endif
        d_step {
          read(tail);
          assert(last == NONE || number > last);
          last = number;
          popped++;
          tail = tail + cells;
          cells = 0;
          number = 0;
          if :: scanned < tail -> scanned = tail :: else fi
        }
#if PLANT != 2
        atomic { storeReleased(tail) }
#endif
     :: !found && isEnding -> break
     :: !found && !isEnding
     fi;
     found = false
  :: atomic { !isEnding && closed -> /* it may see this later, in any later turn */
#if PLANT != 6
       knownPublished = lastPublished;
       acquire(lastPublished);
       knownRewind = lastRewound;
#endif
       isEnding = true
     }
  od;
  assert(popped + refused == RECORDS)
}
