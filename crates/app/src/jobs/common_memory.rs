//! Memory that this process and its copies have in common.
//!
//! The system gives it without a file, zeroed, and takes a page of it from what is free when somebody touches it. Copies
//! of this process that are made later ([`fork`](super::fork)) have the same words at the same place; when the last of
//! them and this process have ended, it is gone.

#![allow(unsafe_code)]

use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use counterpoint_explore::CommonMemory;

use crate::interrupt;

/// How many words there are at most and at least: half a gigabyte, and half a megabyte.
const MOST: u64 = 1 << 26;
const LEAST: u64 = 1 << 16;

/// What part of the memory limit it may take, as a divisor.
const PART: u64 = 4;

/// Words that several processes can read and write.
struct Mapping {
    words: NonNull<AtomicU64>,
    count: usize,
}

// SAFETY: all that can be had of it are references to atomic words, which threads may share, and any thread may unmap it.
unsafe impl Send for Mapping {}
// SAFETY: the same.
unsafe impl Sync for Mapping {}

/// Memory for this process and the copies that are made of it from now on, unless the system has none: of so many words, or as
/// many as fit.
pub fn common_memory(words: Option<usize>) -> Option<Arc<dyn CommonMemory>> {
    let fitting = (interrupt::memory_limit() / PART / 8).clamp(LEAST, MOST);
    let count = match words {
        Some(words) => words,
        None => usize::try_from(1u64 << fitting.ilog2()).ok()?,
    };
    Some(Arc::new(Mapping::new(count)?))
}

impl Mapping {
    fn new(count: usize) -> Option<Mapping> {
        // SAFETY: a new mapping at a place of the system's choice touches nothing that is there.
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                count * size_of::<AtomicU64>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANON | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        let mapped = address != libc::MAP_FAILED;
        let words = NonNull::new(address.cast()).filter(|_| mapped)?;
        Some(Mapping { words, count })
    }
}

impl CommonMemory for Mapping {
    fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping has so many words, aligned to a page and zero at first, until it is dropped. Whoever else
        // has them is a copy of this process, which changes them by atomic operations only, too.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.count) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this is what was mapped, and nobody has a reference to it any more. Copies have mappings of their own.
        unsafe { libc::munmap(self.words.as_ptr().cast(), self.count * size_of::<AtomicU64>()) };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn words_are_zero_at_first_and_kept() {
        let mapping = Mapping::new(1 << 16).expect("there is memory");
        let words = mapping.words();
        assert!(
            words.len() == 1 << 16 && words.iter().all(|word| word.load(Ordering::Relaxed) == 0)
        );
        words[17].store(4, Ordering::Relaxed);
        assert_eq!(mapping.words()[17].load(Ordering::Relaxed), 4);
    }
}
