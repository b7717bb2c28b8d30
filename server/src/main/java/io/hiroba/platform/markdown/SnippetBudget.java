package io.hiroba.platform.markdown;

/**
 * The budget of a snippet: visible characters, height, and the size of its stored form.
 *
 * <p>Height is counted in half lines, because an image takes a quarter of ten lines.
 */
final class SnippetBudget {

    static final int LINE = 2;

    private static final int IMAGE_CHARACTERS = Snippet.MAX_CHARACTERS / 4;
    private static final int IMAGE_HEIGHT = Snippet.MAX_LINES * LINE / 4;
    // Half of the stored form at most, so that addresses never crowd out the words.
    private static final int ADDRESSES = Snippet.MAX_JSON / 2;

    private int characters = Snippet.MAX_CHARACTERS;
    private int height = Snippet.MAX_LINES * LINE;
    private int weight = Snippet.MAX_JSON - "[]".length();
    private int addresses = ADDRESSES;

    private SnippetBudget() {}

    static SnippetBudget whole() {
        return new SnippetBudget();
    }

    /** The budget of a text that does not fit, with room reserved for the "…" and the node that marks the cut. */
    static SnippetBudget withRoomForTheMark(HtmlNode.Element mark) {
        var budget = new SnippetBudget();
        budget.characters -= 1;
        budget.height -= LINE;
        budget.weight -= SnippetJson.weight(mark) + SnippetJson.emptyTextWeight() + 1;
        return budget;
    }

    boolean lines(int count) {
        if (count * LINE > height) {
            return false;
        }
        height -= count * LINE;
        return true;
    }

    boolean fitsLines(int count) {
        return count * LINE <= height;
    }

    boolean weight(int more) {
        if (more > weight) {
            return false;
        }
        weight -= more;
        return true;
    }

    boolean image() {
        if (IMAGE_CHARACTERS > characters || IMAGE_HEIGHT > height) {
            return false;
        }
        characters -= IMAGE_CHARACTERS;
        height -= IMAGE_HEIGHT;
        return true;
    }

    boolean address(int length) {
        if (length > addresses) {
            return false;
        }
        addresses -= length;
        return true;
    }

    /** Takes one visible character that adds so many lines to its block. */
    boolean character(int codePoint, int addedLines) {
        int size = SnippetJson.weight(codePoint);
        if (characters < 1 || size > weight || !lines(addedLines)) {
            return false;
        }
        characters -= 1;
        weight -= size;
        return true;
    }
}
