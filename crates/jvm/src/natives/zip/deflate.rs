//! Compressing, with a state that can lie in a heap.
//!
//! **Idea.** A `Deflater` may take its input and give nothing until it is asked to flush or to finish. So its state
//! is the input since the last flush, and what was compressed and not taken yet; a compressor lives within one call.
//! What follows a flush does not refer to what came before it, which every decompressor accepts.
//!
//! **Invariant.** What comes out can be decompressed to what went in. Which bytes it has depends on the compressor, which is
//! not that of any JDK: no program may rely on it.
//!
//! **Cost.** That of compressing once, when flushing or finishing.

use flate2::{Compress, Compression, FlushCompress};

/// How much longer compressing a byte takes than copying it.
pub(super) const EFFORT: u64 = 16;

/// How many bytes are compressed between two calls of `go_on`, at most.
const PIECE: usize = 1 << 16;

/// Compresses bytes to a part of raw data, which ends at a whole byte: the last part, or one that others follow. Before
/// each piece it asks whether to go on.
pub(super) fn part<Error>(
    bytes: &[u8],
    level: i32,
    last: bool,
    mut go_on: impl FnMut(usize) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    let level = u32::try_from(level).map_or(Compression::default(), Compression::new);
    let mut compress = Compress::new(level, false);
    let mut data = Vec::with_capacity(bytes.len() / 2 + 64);
    loop {
        let used = compress.total_in() as usize;
        let end = bytes.len().min(used + PIECE);
        let flush = match (end == bytes.len(), last) {
            (false, _) => FlushCompress::None,
            (true, true) => FlushCompress::Finish,
            (true, false) => FlushCompress::Sync,
        };
        go_on(end - used)?;
        // A compressor in memory fails only if it is used after its end.
        let status = compress.compress_vec(&bytes[used..end], &mut data, flush);
        let has_room = data.len() < data.capacity();
        let done = match status {
            Ok(flate2::Status::StreamEnd) | Err(_) => true,
            Ok(_) => !last && compress.total_in() as usize == bytes.len() && has_room,
        };
        if done {
            return Ok(data);
        }
        if !has_room {
            data.reserve(data.capacity());
        }
    }
}

/// The first bytes of data with a header: how they were compressed, and the number of a dictionary.
pub(super) fn header(level: i32, dictionary: Option<u32>) -> Vec<u8> {
    let effort = match level {
        0 | 1 => 0,
        2..=5 => 1,
        -1 | 6 => 2,
        _ => 3,
    };
    let flags = 0x7800u16 | effort << 6 | if dictionary.is_some() { 32 } else { 0 };
    let header = flags + (31 - flags % 31);
    let mut bytes = header.to_be_bytes().to_vec();
    bytes.extend(dictionary.into_iter().flat_map(u32::to_be_bytes));
    bytes
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::super::checksum::adler;
    use super::*;

    fn whole(text: &str, level: i32, last: bool) -> Vec<u8> {
        let part: Result<Vec<u8>, ()> = part(text.as_bytes(), level, last, |_| Ok(()));
        part.expect("nobody stops it")
    }

    #[test]
    fn it_stops_between_two_pieces() {
        let mut asked = 0;
        let bytes = vec![7; 3 * PIECE];
        let stopped = part(&bytes, 9, true, |_| {
            asked += 1;
            if asked == 2 { Err(()) } else { Ok(()) }
        });
        assert_eq!((stopped, asked), (Err(()), 2));
    }

    #[test]
    fn parts_follow_each_other() {
        let texts = ["", "first, first, first", "second", &"x".repeat(100_000)];
        for level in -1..=9 {
            let mut data = header(level, None);
            for text in texts {
                data.extend(whole(text, level, false));
            }
            data.extend(whole("last", level, true));
            let whole = texts.concat() + "last";
            data.extend(adler(1, whole.as_bytes()).to_be_bytes());
            let mut back = String::new();
            let read = flate2::read::ZlibDecoder::new(&*data).read_to_string(&mut back);
            assert!(read.is_ok() && back == whole, "{level}: {read:?}");
        }
    }
}
