//! Java's modified UTF-8, in which names and string constants are stored.
//!
//! It differs from UTF-8 in two points: zero is two bytes, and characters beyond 16 bits are two
//! surrogates of three bytes each, possibly unpaired.

/// The UTF-16 units of a modified UTF-8 sequence, or `None` if it is not one.
pub fn units(bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        let first = u16::from(*first);
        rest = match first {
            0x01..=0x7F => {
                units.push(first);
                tail
            }
            0xC0..=0xDF => {
                let [second, tail @ ..] = tail else { return None };
                units.push((first & 0x1F) << 6 | continuation(*second)?);
                tail
            }
            0xE0..=0xEF => {
                let [second, third, tail @ ..] = tail else { return None };
                units.push(
                    (first & 0x0F) << 12 | continuation(*second)? << 6 | continuation(*third)?,
                );
                tail
            }
            _ => return None,
        };
    }
    Some(units)
}

/// The text of a modified UTF-8 sequence; unpaired surrogates become replacement characters.
pub fn string(bytes: &[u8]) -> Option<String> {
    if bytes.iter().all(|byte| (0x01..0x80).contains(byte)) {
        return std::str::from_utf8(bytes).ok().map(str::to_string);
    }
    units(bytes).map(|units| String::from_utf16_lossy(&units))
}

fn continuation(byte: u8) -> Option<u16> {
    (byte & 0xC0 == 0x80).then_some(u16::from(byte & 0x3F))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_zero_surrogates_and_rejects_garbage() {
        assert_eq!(units(&[0x41, 0xC0, 0x80, 0xE2, 0x82, 0xAC]), Some(vec![0x41, 0, 0x20AC]));
        assert_eq!(string(&[0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]).as_deref(), Some("\u{1F600}"));
        for bad in [&[0x00][..], &[0xFF], &[0xC3], &[0xE2, 0x82], &[0xC3, 0x41]] {
            assert_eq!(units(bad), None);
        }
    }
}
