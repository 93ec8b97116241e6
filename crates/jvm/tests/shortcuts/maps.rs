//! Concurrent maps, whose first table is made and whose entries are counted in one step: see `interpret/concurrent_map.rs`.

use super::families::Family;

/// Maps whose first table is made while threads use them: one that entries are added to and whose size is asked for; a
/// small one that grows, and that entries are removed from as well; and one that nobody asks.
pub const MAPS: &[Family] = &[
    Family {
        name: "a concurrent map that grows",
        state: "static final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();",
        operations: &[
            "o = map.put(#, 5);",
            "o = map.putIfAbsent(#, 6);",
            "o = map.get(#);",
            "o = map.size();",
            "o = map.isEmpty();",
            "o = map.containsKey(#);",
            "o = map.computeIfAbsent(#, key -> key + 7);",
            "o = map.toString();",
            "map.putAll(Map.of(#, 8));",
            "o = map.keySet().stream().mapToInt(i -> i).sum();",
        ],
        last: "map + \" \" + map.mappingCount()",
    },
    Family {
        name: "a concurrent map that grows and shrinks",
        state: "static final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>(1);",
        operations: &[
            "o = map.put(#, 5);",
            "o = map.remove(#);",
            "o = map.size();",
            "o = map.merge(#, 1, (old, one) -> null);",
            "map.clear();",
            "o = map.compute(#, (key, old) -> old == null ? 1 : null);",
            "map.values().removeIf(value -> value == 5);",
            "o = map.isEmpty();",
        ],
        last: "map + \" \" + map.size()",
    },
    Family {
        name: "a concurrent map that nobody asks for its size",
        state: "static final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();",
        operations: &[
            "o = map.put(#, 5);",
            "o = map.remove(#);",
            "o = map.get(#);",
            "o = map.merge(#, 1, Integer::sum);",
            "o = map.replace(#, 9);",
            "int sum = 0; for (int value : map.values()) sum += value; o = sum;",
        ],
        last: "map",
    },
];
