package io.hiroba.saga.engine;

import tools.jackson.databind.JsonNode;

/**
 * Measures JSON without serializing it: a value that is referenced many times could exhaust the memory.
 */
final class JsonSize {

    private long left;

    private JsonSize(long limit) {
        this.left = limit;
    }

    /** Whether {@code node} has more than about {@code limit} characters; without visiting more than that. */
    static boolean exceeds(JsonNode node, long limit) {
        var size = new JsonSize(limit);
        size.add(node);
        return size.left < 0;
    }

    private void add(JsonNode node) {
        left -= 2;
        if (node.isString()) {
            left -= node.stringValue().length();
        } else if (node.isContainer()) {
            for (var field : node.properties()) {
                left -= field.getKey().length() + 3;
            }
            var children = node.iterator();
            while (left >= 0 && children.hasNext()) {
                add(children.next());
            }
        } else {
            left -= 4;
        }
    }
}
