//! Strongly connected components of a graph, by Tarjan's algorithm without recursion.

/// Per node the number of its component.
pub(super) fn components(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    // The edges by their start: those of a node begin at its offset.
    let mut offsets = vec![0; nodes + 1];
    for &(from, _) in edges {
        offsets[from + 1] += 1;
    }
    for node in 0..nodes {
        offsets[node + 1] += offsets[node];
    }
    let mut targets = vec![0; edges.len()];
    let mut free = offsets.clone();
    for &(from, to) in edges {
        targets[free[from]] = to;
        free[from] += 1;
    }

    const UNSEEN: usize = usize::MAX;
    let mut found = vec![UNSEEN; nodes];
    let mut lowest = vec![0; nodes];
    let mut component = vec![UNSEEN; nodes];
    let mut waiting = Vec::new();
    let mut next = offsets.clone();
    let (mut clock, mut count) = (0, 0);
    for root in 0..nodes {
        let mut path = vec![root];
        while let Some(&node) = path.last() {
            if found[node] == UNSEEN {
                found[node] = clock;
                lowest[node] = clock;
                clock += 1;
                waiting.push(node);
            }
            if next[node] < offsets[node + 1] {
                let target = targets[next[node]];
                next[node] += 1;
                if found[target] == UNSEEN {
                    path.push(target);
                } else if component[target] == UNSEEN {
                    lowest[node] = lowest[node].min(found[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&parent) = path.last() {
                lowest[parent] = lowest[parent].min(lowest[node]);
            }
            if component[node] == UNSEEN && lowest[node] == found[node] {
                while let Some(member) = waiting.pop() {
                    component[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_on_a_common_cycle_share_a_component_and_others_do_not() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 0), (6, 6)];
        let component = components(7, &edges);
        let reaches = |from: usize, to: usize| {
            let mut seen = vec![from];
            let mut index = 0;
            while index < seen.len() {
                let here = seen[index];
                for &(_, next) in edges.iter().filter(|edge| edge.0 == here) {
                    if !seen.contains(&next) {
                        seen.push(next);
                    }
                }
                index += 1;
            }
            seen.contains(&to)
        };
        for a in 0..7 {
            for b in 0..7 {
                let same = component[a] == component[b];
                assert_eq!(same, reaches(a, b) && reaches(b, a), "{a} and {b}");
            }
        }
    }
}
