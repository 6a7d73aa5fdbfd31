//! Whose turn it is to write: in the order of asking, and for no longer a wait than a caller was promised.
//!
//! A mutex knows neither a deadline nor an order: one that writes in a row could keep everybody else out.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// One thing, and those who wait for it.
pub(crate) struct Turns<T> {
    queue: Mutex<Queue<T>>,
    moved: Condvar,
}

struct Queue<T> {
    /// Absent while somebody has it.
    thing: Option<T>,
    waiting: VecDeque<u64>,
    next: u64,
}

/// The thing, for as long as this lives. Given back when dropped, by a panic too.
pub(crate) struct Turn<'a, T> {
    thing: Option<T>,
    turns: &'a Turns<T>,
}

impl<T> Turns<T> {
    pub(crate) fn new(thing: T) -> Self {
        Turns {
            queue: Mutex::new(Queue {
                thing: Some(thing),
                waiting: VecDeque::new(),
                next: 0,
            }),
            moved: Condvar::new(),
        }
    }

    /// Waits for its turn; nothing where it did not come until the deadline.
    pub(crate) fn take(&self, deadline: Instant) -> Option<Turn<'_, T>> {
        let mut queue = self.lock();
        let mine = queue.next;
        queue.next = queue.next.wrapping_add(1);
        queue.waiting.push_back(mine);
        loop {
            if queue.waiting.front() == Some(&mine)
                && let Some(thing) = queue.thing.take()
            {
                queue.waiting.pop_front();
                return Some(Turn {
                    thing: Some(thing),
                    turns: self,
                });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                queue.waiting.retain(|w| *w != mine);
                drop(queue);
                // Whoever comes next may have been waiting for this one alone.
                self.moved.notify_all();
                return None;
            }
            queue = self
                .moved
                .wait_timeout(queue, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Nothing that can panic runs under this lock.
    fn lock(&self) -> MutexGuard<'_, Queue<T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Deref for Turn<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.thing {
            Some(thing) => thing,
            None => unreachable!("it leaves only when it is dropped"),
        }
    }
}

impl<T> DerefMut for Turn<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.thing {
            Some(thing) => thing,
            None => unreachable!("it leaves only when it is dropped"),
        }
    }
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        self.turns.lock().thing = self.thing.take();
        self.turns.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn it_goes_round_in_the_order_of_asking() {
        let turns = Turns::new(Vec::new());
        let held = turns.take(Instant::now()).expect("free");
        std::thread::scope(|s| {
            for n in 0..5 {
                let turns = &turns;
                s.spawn(move || {
                    let mut list = turns
                        .take(Instant::now() + Duration::from_secs(20))
                        .expect("its turn");
                    list.push(n);
                });
                while turns.lock().waiting.len() <= n {
                    std::thread::yield_now();
                }
            }
            drop(held);
        });
        assert_eq!(*turns.take(Instant::now()).expect("free"), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn who_waits_too_long_leaves_the_row_and_holds_nobody_up() {
        let turns = Turns::new(());
        let held = turns.take(Instant::now()).expect("free");
        assert!(turns.take(Instant::now() + Duration::from_millis(5)).is_none());
        assert!(turns.lock().waiting.is_empty());
        drop(held);
        assert!(turns.take(Instant::now()).is_some());
    }

    #[test]
    fn a_panic_gives_it_back() {
        let turns = Turns::new(());
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _held = turns.take(Instant::now());
            panic!("some work")
        }));
        assert!(panicked.is_err());
        assert!(turns.take(Instant::now()).is_some());
    }
}
