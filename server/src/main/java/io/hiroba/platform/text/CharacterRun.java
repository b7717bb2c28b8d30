package io.hiroba.platform.text;

import java.util.ArrayList;
import java.util.List;

/** A run of adjacent characters of a script without spaces. */
final class CharacterRun {

    /** More than any script puts on one character; a text of marks alone must not become one endless term. */
    private static final int MAX_MARKS = 8;

    private record One(String text, int marks, int start, int end) {

        /** With one more mark, if it is not one too many, up to a new end. */
        One marked(int mark, int newEnd) {
            return invisible(mark) || marks == MAX_MARKS
                    ? new One(text, marks, start, newEnd)
                    : new One(text + Character.toString(mark), marks + 1, start, newEnd);
        }
    }

    private final List<One> characters = new ArrayList<>();

    /** Adds the characters of a token. Marks belong to the character before them. */
    void add(CharSequence text, int start) {
        for (int i = 0; i < text.length(); ) {
            int character = Character.codePointAt(text, i);
            int next = i + Character.charCount(character);
            if (mark(character) && !characters.isEmpty()) {
                characters.add(characters.removeLast().marked(character, start + next));
            } else {
                characters.add(new One(Character.toString(character), 0, start + i, start + next));
            }
            i = next;
        }
    }

    int size() {
        return characters.size();
    }

    /** Where the run ends so far; nowhere if it is empty. */
    int end() {
        return characters.isEmpty() ? -1 : characters.getLast().end;
    }

    int start(int index) {
        return characters.get(index).start;
    }

    int end(int index) {
        return characters.get(index).end;
    }

    String text(int from, int to) {
        var text = new StringBuilder();
        characters.subList(from, to).forEach(one -> text.append(one.text));
        return text.toString();
    }

    void clear() {
        characters.clear();
    }

    private static boolean mark(int character) {
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.FORMAT -> true;
            default -> false;
        };
    }

    /** Which drawing of a character was chosen, and how it may be joined, makes no other character of it. */
    private static boolean invisible(int character) {
        return Character.getType(character) == Character.FORMAT
                || (character >= 0xFE00 && character <= 0xFE0F)
                || (character >= 0xE0100 && character <= 0xE01EF);
    }
}
