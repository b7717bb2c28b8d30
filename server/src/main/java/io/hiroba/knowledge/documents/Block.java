package io.hiroba.knowledge.documents;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A block of a section: a paragraph, listing, list, table or message. */
public sealed interface Block {

    /** A paragraph. */
    record Text(String text) implements Block {}

    /** A code listing, with its line breaks. */
    record Code(String text) implements Block {}

    /** A list, an item per line. */
    record Items(List<String> items) implements Block {

        public Items {
            items = List.copyOf(items);
        }
    }

    /**
     * A table, a row per line.
     *
     * @param head the header row; empty if there is none
     */
    record Table(String head, List<String> rows) implements Block {

        public Table {
            rows = List.copyOf(rows);
        }
    }

    /**
     * A message of a chat.
     *
     * @param index its position in the chat, from 0
     * @param id its id in the chat system
     * @param url its URL in the chat system
     */
    record Message(int index, @Nullable String id, @Nullable String url, String text) implements Block {}
}
