package io.hiroba.social.messages;

import io.hiroba.social.Author;
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
        @Nullable String about) {}
