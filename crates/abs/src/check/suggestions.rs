//! "Did you mean ..?"

/// Longer names are not looked for.
const LONGEST: usize = 100;

/// The candidate that looks most like the name, if one is close enough to be meant. Of several equally close
/// ones the first is taken.
pub(crate) fn closest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = match name.chars().count() {
        0 => return None,
        // Comparing takes the product of the lengths, and nobody mistypes a page.
        length if length > LONGEST => return None,
        1..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = distance(name, candidate, limit);
        let better = best.is_none_or(|(known, _)| distance < known);
        if distance <= limit && distance > 0 && distance < name.len().max(2) && better {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many letters must be added, removed, replaced or swapped with a neighbour; more than the limit is not
/// counted further. A difference in case alone counts as one.
fn distance(left: &str, right: &str, limit: usize) -> usize {
    if left.len().abs_diff(right.len()) > limit {
        return limit + 1;
    }
    if left != right && left.eq_ignore_ascii_case(right) {
        return 1;
    }
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, &letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &other) in right.iter().enumerate() {
            let replaced = last[column] + usize::from(letter != other);
            let mut cost = replaced.min(last[column + 1] + 1).min(current[column] + 1);
            let swapped =
                row > 0 && column > 0 && letter == right[column - 1] && left[row - 1] == other;
            if swapped {
                cost = cost.min(before_last[column - 1] + 1);
            }
            current.push(cost);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_and_far_ones_are_not() {
        let names = ["length", "lookup", "nth"];
        assert_eq!(closest("lenght", names), Some("length"));
        assert_eq!(closest("Lookup", names), Some("lookup"));
        assert_eq!(closest("balance", names), None);
        assert_eq!(closest("x", ["y"]), Some("y"));
        assert_eq!(closest("", names), None);
    }
}
