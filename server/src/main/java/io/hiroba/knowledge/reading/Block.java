package io.hiroba.knowledge.reading;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A piece of a section that belongs together. */
public sealed interface Block {

    /** A paragraph. */
    record Text(String text) implements Block {}

    /** A listing, in which every line break counts. */
    record Code(String text) implements Block {}

    /** A list, an item a line. */
    record Items(List<String> items) implements Block {

        public Items {
            items = List.copyOf(items);
        }
    }

    /**
     * A table, a row a line.
     *
     * @param head what names the columns; empty if nothing does
     */
    record Table(String head, List<String> rows) implements Block {

        public Table {
            rows = List.copyOf(rows);
        }
    }

    /**
     * What somebody said in a conversation.
     *
     * @param index its place in the conversation, from 0
     * @param id what the conversation's own system calls it
     * @param url leads to it there
     */
    record Message(int index, @Nullable String id, @Nullable String url, String text) implements Block {}
}
