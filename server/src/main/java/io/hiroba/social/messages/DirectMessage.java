package io.hiroba.social.messages;

import io.hiroba.social.Author;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A message of a private thread.
 *
 * @param number its place in the thread, from 1
 * @param content in Markdown
 * @param about the path of what an agent is asked about
 */
public record DirectMessage(
        MessageId id,
        ThreadId thread,
        int number,
        Author sender,
        String content,
        @Nullable String about) {

    private static final int MAX_ABOUT = 500;

    /** One slash and then neither a second one nor a backslash, which browsers take for one. */
    private static final Pattern PATH = Pattern.compile("/(?![/\\\\])[^\\\\\\p{Cc}]*");

    private static final Pattern DOT_SEGMENT = Pattern.compile("/(?:\\.|%2[eE]){1,2}(?:[/?#]|$)");

    /** Whether something can be asked about at this path: it leads nowhere but to this server. */
    static boolean isAbout(String path) {
        return path.length() <= MAX_ABOUT
                && PATH.matcher(path).matches()
                && !DOT_SEGMENT.matcher(path).find();
    }
}
