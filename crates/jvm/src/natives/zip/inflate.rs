//! Decompressing, in steps of any size, with a state that can lie in a heap.
//!
//! **Problem.** An `Inflater` is given its input in pieces and asked for its output in pieces, and an explorer goes back
//! to any point between two calls. A decoder that keeps its state to itself cannot be taken back.
//!
//! **Idea.** The state is a few numbers, the code lengths of the block at hand, and the last 32 kB of output. It is
//! written down as words ([`Inflate::words`]), and the output before the present call is asked for byte by byte, so
//! that a call costs what it consumes and produces. Codes are read bit by bit, as in Adler's `puff`: no byte of
//! the input is taken before it is needed, which makes what is left over at the end of the data exact. If the input ends within
//! a symbol, the bits of the symbol are kept and it is read again with what comes next.
//!
//! **Invariant.** The same input in other pieces gives the same output. What is wrong with data is said in the words of zlib.
//!
//! **Cost.** The tables of codes are made again in each call, from at most 336 lengths. RFC 1950 and 1951 say what
//! the formats are.

use super::checksum::adler;

/// As far back as output can be referred to.
pub(super) const WINDOW: u64 = 32_768;
/// Room for the lengths of the codes of a block, and of the codes in which they are written.
const LENGTHS: usize = 336;
/// The words of a state.
pub(super) const WORDS: usize = 6 + LENGTHS / 8;

/// What comes next in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Header,
    DictionaryId,
    Dictionary,
    Block,
    StoredLength,
    Stored,
    Counts,
    CodeLengths,
    Lengths,
    Symbol,
    Literal,
    Match,
    Check,
    End,
    Failed,
}

const NEXT: [Next; 15] = [
    Next::Header,
    Next::DictionaryId,
    Next::Dictionary,
    Next::Block,
    Next::StoredLength,
    Next::Stored,
    Next::Counts,
    Next::CodeLengths,
    Next::Lengths,
    Next::Symbol,
    Next::Literal,
    Next::Match,
    Next::Check,
    Next::End,
    Next::Failed,
];

/// What can be wrong with data, as zlib says it.
const FAILURES: [&str; 15] = [
    "incorrect header check",
    "unknown compression method",
    "invalid window size",
    "invalid block type",
    "invalid stored block lengths",
    "too many length or distance symbols",
    "invalid code lengths set",
    "invalid bit length repeat",
    "invalid code -- missing end-of-block",
    "invalid literal/lengths set",
    "invalid distances set",
    "invalid literal/length code",
    "invalid distance code",
    "invalid distance too far back",
    "incorrect data check",
];

/// In which order the lengths of the codes for lengths come.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Why reading stops.
enum Stop {
    /// There is no more input.
    Input,
    /// The data are wrong: a number of [`FAILURES`].
    Wrong(u8),
}

/// A decoder between two calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inflate {
    next: Next,
    /// Whether the data have a header and a checksum.
    wrapped: bool,
    last_block: bool,
    failure: u8,
    /// Bits that were taken from the input and not used yet.
    held: u64,
    held_bits: u32,
    /// How many lengths were read, of how many.
    read: u16,
    symbols: u16,
    distances: u16,
    code_lengths: u16,
    /// Bytes left of a match or stored block, or the literal.
    count: u32,
    distance: u32,
    /// The checksum of the output, or the number of the dictionary that is asked for.
    pub sum: u32,
    /// How many bytes there are before those that come next, the dictionary included.
    pub written: u64,
    /// The lengths of the codes of this block.
    lengths: [u8; LENGTHS],
}

impl Inflate {
    pub fn new(wrapped: bool) -> Inflate {
        Inflate {
            next: if wrapped { Next::Header } else { Next::Block },
            wrapped,
            last_block: false,
            failure: 0,
            held: 0,
            held_bits: 0,
            read: 0,
            symbols: 0,
            distances: 0,
            code_lengths: 0,
            count: 0,
            distance: 0,
            sum: u32::from(wrapped),
            written: 0,
            lengths: [0; LENGTHS],
        }
    }

    /// The state, written down.
    pub fn words(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        let flags = [u8::from(self.wrapped), u8::from(self.last_block), self.failure];
        words[0] = self.next as u64
            | u64::from(flags[0]) << 8
            | u64::from(flags[1]) << 16
            | u64::from(flags[2]) << 24
            | u64::from(self.held_bits) << 32;
        words[1] = self.held;
        let counts = [self.read, self.symbols, self.distances, self.code_lengths];
        words[2] = counts.iter().rev().fold(0, |word, count| word << 16 | u64::from(*count));
        words[3] = u64::from(self.count) << 32 | u64::from(self.distance);
        words[4] = u64::from(self.sum);
        words[5] = self.written;
        for (word, lengths) in words[6..].iter_mut().zip(self.lengths.chunks_exact(8)) {
            *word = lengths.iter().rev().fold(0, |word, length| word << 8 | u64::from(*length));
        }
        words
    }

    /// The state that was written down.
    pub fn of(words: &[u64; WORDS]) -> Inflate {
        let mut lengths = [0; LENGTHS];
        for (lengths, word) in lengths.chunks_exact_mut(8).zip(&words[6..]) {
            lengths.copy_from_slice(&word.to_le_bytes());
        }
        let count = |index: u32| (words[2] >> (16 * index)) as u16;
        Inflate {
            next: NEXT[(words[0] & 0xFF) as usize % NEXT.len()],
            wrapped: words[0] >> 8 & 1 == 1,
            last_block: words[0] >> 16 & 1 == 1,
            failure: (words[0] >> 24) as u8,
            held: words[1],
            held_bits: (words[0] >> 32) as u32,
            read: count(0),
            symbols: count(1),
            distances: count(2),
            code_lengths: count(3),
            count: (words[3] >> 32) as u32,
            distance: words[3] as u32,
            sum: words[4] as u32,
            written: words[5],
            lengths,
        }
    }

    /// Whether the data have a header and a checksum.
    pub fn is_wrapped(&self) -> bool {
        self.wrapped
    }

    /// Whether all data were read.
    pub fn is_finished(&self) -> bool {
        self.next == Next::End
    }

    /// Whether the data refer to a dictionary, which has to be given first.
    pub fn needs_dictionary(&self) -> bool {
        self.next == Next::Dictionary
    }

    /// Takes a dictionary, unless it is not the one that is asked for or none can be given now. The caller puts it
    /// before the output.
    pub fn take_dictionary(&mut self, dictionary: &[u8]) -> bool {
        let fits = match self.next {
            Next::Dictionary => adler(1, dictionary) == self.sum,
            _ => !self.wrapped,
        };
        if fits && self.next == Next::Dictionary {
            (self.next, self.sum) = (Next::Block, 1);
        }
        fits
    }

    /// Goes on with some input, as long as there is room for output; `past` is the output of earlier calls, by how far
    /// back it is. How much of the input was used, the output, and what is wrong with the data.
    pub fn run(
        &mut self,
        input: &[u8],
        room: usize,
        past: impl Fn(u64) -> u8,
    ) -> (usize, Vec<u8>, Option<&'static str>) {
        let mut call = Call { input, used: 0, room, output: Vec::new(), past, codes: None };
        while !(self.is_finished() || self.needs_dictionary() || self.next == Next::Failed) {
            let (held, held_bits, used) = (self.held, self.held_bits, call.used);
            match self.step(&mut call) {
                Ok(true) => {}
                Ok(false) => break,
                Err(Stop::Input) => {
                    // What was read of this symbol is kept, and read again when there is more.
                    (self.held, self.held_bits) = (held, held_bits);
                    for byte in &input[used..] {
                        self.held |= u64::from(*byte) << self.held_bits;
                        self.held_bits += 8;
                    }
                    call.used = input.len();
                    break;
                }
                Err(Stop::Wrong(failure)) => (self.next, self.failure) = (Next::Failed, failure),
            }
        }
        if self.wrapped && self.next != Next::Dictionary && !call.output.is_empty() {
            self.check_so_far(&call.output);
        }
        self.written += call.output.len() as u64;
        let failed = self.next == Next::Failed;
        let message = failed.then(|| FAILURES[usize::from(self.failure) % FAILURES.len()]);
        (call.used, call.output, message)
    }

    /// Adds output to the checksum, unless the end has done so.
    fn check_so_far(&mut self, output: &[u8]) {
        if !matches!(self.next, Next::End | Next::Check) && self.failure != WRONG_CHECK {
            self.sum = adler(self.sum, output);
        }
    }

    /// Takes bits from the input, the low one first.
    fn bits<P>(&mut self, call: &mut Call<'_, P>, count: u32) -> Result<u32, Stop> {
        while self.held_bits < count {
            let byte = *call.input.get(call.used).ok_or(Stop::Input)?;
            call.used += 1;
            self.held |= u64::from(byte) << self.held_bits;
            self.held_bits += 8;
        }
        let bits = self.held & ((1 << count) - 1);
        self.held >>= count;
        self.held_bits -= count;
        Ok(bits as u32)
    }

    fn drop_to_byte(&mut self) {
        let rest = self.held_bits % 8;
        self.held >>= rest;
        self.held_bits -= rest;
    }

    /// Reads what comes next. False if there is no room for it.
    fn step<P: Fn(u64) -> u8>(&mut self, call: &mut Call<'_, P>) -> Result<bool, Stop> {
        match self.next {
            Next::Header => {
                let header = self.bits(call, 16)?;
                let (method, flags) = (header & 0xFF, header >> 8);
                let wrong = match () {
                    () if (method << 8 | flags) % 31 != 0 => Some(0),
                    () if method & 15 != 8 => Some(1),
                    () if method >> 4 > 7 => Some(2),
                    () => None,
                };
                if let Some(wrong) = wrong {
                    return Err(Stop::Wrong(wrong));
                }
                self.next = if flags & 32 != 0 { Next::DictionaryId } else { Next::Block };
            }
            Next::DictionaryId => {
                self.sum = self.bits(call, 32)?.swap_bytes();
                self.next = Next::Dictionary;
            }
            Next::Block if self.last_block => {
                self.drop_to_byte();
                if self.wrapped {
                    self.sum = adler(self.sum, &call.output);
                }
                self.next = if self.wrapped { Next::Check } else { Next::End };
            }
            Next::Block => {
                let block = self.bits(call, 3)?;
                self.last_block = block & 1 == 1;
                call.codes = None;
                self.next = match block >> 1 {
                    0 => {
                        self.drop_to_byte();
                        Next::StoredLength
                    }
                    1 => {
                        self.fixed_lengths();
                        Next::Symbol
                    }
                    2 => Next::Counts,
                    _ => return Err(Stop::Wrong(3)),
                };
            }
            Next::StoredLength => {
                let length = self.bits(call, 32)?;
                if length & 0xFFFF != !(length >> 16) & 0xFFFF {
                    return Err(Stop::Wrong(4));
                }
                self.count = length & 0xFFFF;
                self.next = Next::Stored;
            }
            Next::Stored => {
                if self.count == 0 {
                    self.next = Next::Block;
                } else if call.is_full() {
                    return Ok(false);
                } else {
                    let byte = self.bits(call, 8)?;
                    call.output.push(byte as u8);
                    self.count -= 1;
                }
            }
            Next::Counts => {
                let counts = self.bits(call, 14)?;
                self.symbols = (counts & 31) as u16 + 257;
                self.distances = (counts >> 5 & 31) as u16 + 1;
                self.code_lengths = (counts >> 10) as u16 + 4;
                if self.symbols > 286 || self.distances > 30 {
                    return Err(Stop::Wrong(5));
                }
                self.lengths = [0; LENGTHS];
                (self.read, self.next) = (0, Next::CodeLengths);
            }
            Next::CodeLengths if self.read < self.code_lengths => {
                let length = self.bits(call, 3)?;
                self.lengths[ORDER[usize::from(self.read)]] = length as u8;
                self.read += 1;
            }
            Next::CodeLengths => {
                if Code::new(&self.lengths[..19]).left != 0 {
                    return Err(Stop::Wrong(6));
                }
                // They are moved out of the way of what they describe.
                self.lengths.copy_within(0..19, LENGTHS - 19);
                (self.read, self.next) = (0, Next::Lengths);
                call.codes = None;
            }
            Next::Lengths if self.read < self.symbols + self.distances => self.length(call)?,
            Next::Lengths => {
                if self.lengths[256] == 0 {
                    return Err(Stop::Wrong(8));
                }
                self.lengths[usize::from(self.symbols + self.distances)..].fill(0);
                let (symbols, distances) = self.codes();
                if !symbols.is_usable() {
                    return Err(Stop::Wrong(9));
                }
                if !distances.is_usable() {
                    return Err(Stop::Wrong(10));
                }
                call.codes = Some((symbols, distances));
                self.next = Next::Symbol;
            }
            Next::Symbol => self.symbol(call)?,
            Next::Literal => {
                if call.is_full() {
                    return Ok(false);
                }
                call.output.push(self.count as u8);
                self.next = Next::Symbol;
            }
            Next::Match => {
                if call.is_full() {
                    return Ok(false);
                }
                call.output.push(call.back(u64::from(self.distance)));
                self.count -= 1;
                if self.count == 0 {
                    self.next = Next::Symbol;
                }
            }
            Next::Check => {
                let check = self.bits(call, 32)?.swap_bytes();
                if check != self.sum {
                    return Err(Stop::Wrong(WRONG_CHECK));
                }
                self.next = Next::End;
            }
            Next::Dictionary | Next::End | Next::Failed => return Ok(false),
        }
        Ok(true)
    }

    /// Reads the length of a code, or how often one is repeated.
    fn length<P>(&mut self, call: &mut Call<'_, P>) -> Result<(), Stop> {
        let code = match call.codes.take() {
            Some((code, _)) => code,
            None => Code::new(&self.lengths[LENGTHS - 19..]),
        };
        let symbol = self.decode(call, &code)?.ok_or(Stop::Wrong(6))?;
        let read = usize::from(self.read);
        let (value, times) = match symbol {
            16 if read == 0 => return Err(Stop::Wrong(7)),
            16 => (self.lengths[read - 1], 3 + self.bits(call, 2)?),
            17 => (0, 3 + self.bits(call, 3)?),
            18 => (0, 11 + self.bits(call, 7)?),
            length => (length as u8, 1),
        };
        let end = read + times as usize;
        if end > usize::from(self.symbols + self.distances) {
            return Err(Stop::Wrong(7));
        }
        self.lengths[read..end].fill(value);
        self.read = end as u16;
        call.codes = Some((code, Code::new(&[])));
        Ok(())
    }

    /// Reads a literal, a match or the end of a block.
    fn symbol<P>(&mut self, call: &mut Call<'_, P>) -> Result<(), Stop> {
        const EXTRA: [u32; 29] =
            [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
        const LENGTH: [u32; 29] = [
            3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99,
            115, 131, 163, 195, 227, 258,
        ];
        let (symbols, distances) = call.codes.take().unwrap_or_else(|| self.codes());
        let read = self.decode(call, &symbols)?;
        match read {
            Some(literal @ 0..256) => {
                (self.count, self.next) = (u32::from(literal), Next::Literal);
            }
            Some(256) => self.next = Next::Block,
            Some(length @ 257..286) => {
                let row = usize::from(length) - 257;
                let count = LENGTH[row] + self.bits(call, EXTRA[row])?;
                let distance = match self.decode(call, &distances)? {
                    Some(row @ 0..30) => {
                        let extra = u32::from(row / 2).saturating_sub(1);
                        let base = if row < 4 {
                            u32::from(row)
                        } else {
                            (2 + u32::from(row % 2)) << extra
                        };
                        base + 1 + self.bits(call, extra)?
                    }
                    _ => return Err(Stop::Wrong(12)),
                };
                if u64::from(distance) > self.written + call.output.len() as u64 {
                    return Err(Stop::Wrong(13));
                }
                (self.count, self.distance, self.next) = (count, distance, Next::Match);
            }
            _ => return Err(Stop::Wrong(11)),
        }
        call.codes = Some((symbols, distances));
        Ok(())
    }

    /// Reads a symbol of a code, bit by bit; none if no symbol has this code.
    fn decode<P>(&mut self, call: &mut Call<'_, P>, code: &Code) -> Result<Option<u16>, Stop> {
        let (mut value, mut first, mut index) = (0i32, 0i32, 0i32);
        for length in 1..=15 {
            value |= self.bits(call, 1)? as i32;
            let count = i32::from(code.counts[length]);
            if value - count < first {
                return Ok(Some(code.symbols[(index + value - first) as usize]));
            }
            index += count;
            first = (first + count) << 1;
            value <<= 1;
        }
        Ok(None)
    }

    fn fixed_lengths(&mut self) {
        let length = |symbol: usize| match symbol {
            0..144 | 280..288 => 8,
            144..256 => 9,
            256..280 => 7,
            _ => 5,
        };
        self.lengths = std::array::from_fn(length);
        (self.symbols, self.distances) = (288, 32);
    }

    fn codes(&self) -> (Code, Code) {
        let (symbols, distances) = (usize::from(self.symbols), usize::from(self.distances));
        let lengths = self.lengths.split_at(symbols.min(LENGTHS));
        (Code::new(lengths.0), Code::new(&lengths.1[..distances.min(lengths.1.len())]))
    }
}

const WRONG_CHECK: u8 = 14;

/// What a call works with.
struct Call<'a, P> {
    input: &'a [u8],
    used: usize,
    room: usize,
    output: Vec<u8>,
    past: P,
    /// The codes of the block, once they were made.
    codes: Option<(Code, Code)>,
}

impl<P> Call<'_, P> {
    fn is_full(&self) -> bool {
        self.output.len() == self.room
    }
}

impl<P: Fn(u64) -> u8> Call<'_, P> {
    fn back(&self, distance: u64) -> u8 {
        let own = self.output.len() as u64;
        match own.checked_sub(distance) {
            Some(index) => self.output[index as usize],
            None => (self.past)(distance - own),
        }
    }
}

/// A canonical code: how many symbols have codes of each length, and the symbols in the order of their codes.
struct Code {
    counts: [u16; 16],
    symbols: Vec<u16>,
    /// How many codes of 15 bits are left over; negative if there are too many.
    left: i32,
}

impl Code {
    fn new(lengths: &[u8]) -> Code {
        let mut counts = [0u16; 16];
        lengths.iter().for_each(|length| counts[usize::from(*length & 15)] += 1);
        let mut left = 1i32;
        for count in &counts[1..] {
            left = (left << 1) - i32::from(*count);
            if left < 0 {
                break;
            }
        }
        let mut starts = [0u16; 16];
        for length in 1..15 {
            starts[length + 1] = starts[length] + counts[length];
        }
        let mut symbols = vec![0; lengths.len()];
        for (symbol, length) in (0..).zip(lengths).filter(|pair| *pair.1 != 0) {
            let place = &mut starts[usize::from(*length & 15)];
            symbols[usize::from(*place)] = symbol;
            *place += 1;
        }
        Code { counts, symbols, left }
    }

    /// Whether every sequence of bits is a code, or there is at most one symbol, of one bit.
    fn is_usable(&self) -> bool {
        let used: u16 = self.counts[1..].iter().sum();
        self.left == 0 || used == 0 || used == 1 && self.counts[1] == 1
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn sample(length: usize) -> Vec<u8> {
        let mut seed = 12_345u32;
        let mut bytes = Vec::new();
        while bytes.len() < length {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            match seed >> 29 {
                0..3 => bytes.push((seed >> 16) as u8),
                _ => {
                    let text = format!("row {} of the table;", seed >> 26);
                    bytes.extend_from_slice(text.as_bytes());
                }
            }
        }
        bytes
    }

    fn packed(bytes: &[u8], level: u32) -> Vec<u8> {
        let level = flate2::Compression::new(level);
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
        encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory")
    }

    /// Inflates pieces of an input, each with a decoder that was written down in between.
    fn unpack(data: &[u8], piece: usize, room: usize) -> Result<(Vec<u8>, usize), &'static str> {
        let (mut state, mut output) = (Inflate::new(true), Vec::<u8>::new());
        let mut at = 0;
        loop {
            let end = (at + piece).min(data.len());
            let past = |back: u64| output[output.len() - back as usize];
            let (used, more, wrong) = state.run(&data[at..end], room, past);
            at += used;
            if let Some(wrong) = wrong {
                return Err(wrong);
            }
            if state.is_finished() || at == data.len() && more.is_empty() {
                output.extend_from_slice(&more);
                assert_eq!(state.sum, adler(1, &output));
                return Ok((output, at));
            }
            output.extend_from_slice(&more);
            state = Inflate::of(&state.words());
        }
    }

    #[test]
    fn what_was_compressed_comes_back_whatever_the_pieces() {
        for (length, level) in [(0, 6), (1, 6), (300, 1), (90_000, 6), (90_000, 9), (70_000, 0)] {
            let bytes = sample(length);
            let mut data = packed(&bytes, level);
            let end = data.len();
            data.extend_from_slice(b"more");
            for (piece, room) in [(usize::MAX >> 1, 1 << 20), (1, 1 << 20), (512, 100), (7, 1)] {
                let result = unpack(&data, piece, room);
                assert!(result == Ok((bytes.clone(), end)), "{length} {level} {piece} {room}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said_and_never_a_panic() {
        let data = packed(&sample(3_000), 6);
        let wrong = |at: usize, byte: u8| {
            let mut data = data.clone();
            data[at] = byte;
            unpack(&data, 100, 100).err()
        };
        assert_eq!(wrong(0, 1), Some("incorrect header check"));
        assert_eq!(wrong(2, 7), Some("invalid block type"));
        assert_eq!(wrong(data.len() - 1, !data[data.len() - 1]), Some("incorrect data check"));
        for (at, byte) in data.iter().enumerate() {
            for flip in [1, 16, 255] {
                _ = wrong(at, byte ^ flip);
            }
        }
    }
}
