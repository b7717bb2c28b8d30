package io.hiroba.knowledge.documents;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A block of a section: a paragraph, listing, list, table or message. */
public sealed interface Block {

    /** A paragraph. */
    record Text(String text) implements Block {}

    /**
     * A code listing, with its line breaks.
     *
     * @param firstLine the number of its first line in the file, from 1; 0 if that says nothing
     */
    record Code(String text, int firstLine) implements Block {

        public Code(String text) {
            this(text, 0);
        }
    }

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
     * @param numbers the numbers of the rows in the file, from 1; empty if they say nothing
     */
    record Table(String head, List<String> rows, List<Integer> numbers) implements Block {

        public Table {
            rows = List.copyOf(rows);
            numbers = List.copyOf(numbers);
        }

        public Table(String head, List<String> rows) {
            this(head, rows, List.of());
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
