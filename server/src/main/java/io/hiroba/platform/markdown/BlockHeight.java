package io.hiroba.platform.markdown;

/** The height of a block in lines: one and one more for each hundred characters, or one for each line of code. */
final class BlockHeight {

    private static final int CHARACTERS_A_LINE = 100;

    private final boolean code;
    private int length;
    private int breaks;

    BlockHeight(boolean code) {
        this.code = code;
    }

    /** The lines that the block would gain by one more character. */
    int addedBy(int codePoint) {
        int lineFeed = code && codePoint == '\n' ? 1 : 0;
        return lines(length + 1, breaks + lineFeed) - lines(length, breaks);
    }

    void add(int codePoint) {
        length++;
        if (code && codePoint == '\n') {
            breaks++;
        }
    }

    private int lines(int characters, int lineFeeds) {
        int wrapped = 1 + characters / CHARACTERS_A_LINE;
        return code ? Math.max(wrapped, 1 + lineFeeds) : wrapped;
    }
}
