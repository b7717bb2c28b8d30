package io.hiroba.saga.engine;

import tools.jackson.databind.JsonNode;

/**
 * Measures JSON without writing it down. One value may stand in many places, so that writing it down to measure could
 * take all memory.
 */
final class JsonSize {

    private long left;

    private JsonSize(long limit) {
        this.left = limit;
    }

    /** Whether {@code node} has more than about {@code limit} characters; found out without looking at more than that. */
    static boolean exceeds(JsonNode node, long limit) {
        var size = new JsonSize(limit);
        size.take(node);
        return size.left < 0;
    }

    private void take(JsonNode node) {
        left -= 2;
        if (node.isString()) {
            left -= node.stringValue().length();
        } else if (node.isContainer()) {
            for (var field : node.properties()) {
                left -= field.getKey().length() + 3;
            }
            var children = node.iterator();
            while (left >= 0 && children.hasNext()) {
                take(children.next());
            }
        } else {
            left -= 4;
        }
    }
}
