package io.hiroba.social.messages;

import io.hiroba.accounts.UserId;
import io.hiroba.social.Author;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A private thread as one of its members sees it.
 *
 * @param members all of them, the viewer too, by id
 * @param pair whether it is the thread of two people; others are groups
 * @param position its place in the list of threads
 */
public record MessageThread(
        ThreadId id,
        List<ThreadMember> members,
        boolean pair,
        int unread,
        @Nullable DirectMessage newest,
        long position) {

    public MessageThread {
        members = List.copyOf(members);
    }

    /**
     * A member of a thread.
     *
     * @param readUntil the number of the newest message that they have read
     */
    public record ThreadMember(Author person, int readUntil) {}

    /** Those who are not {@code viewer}. */
    public List<Author> others(UserId viewer) {
        return members.stream()
                .map(ThreadMember::person)
                .filter(person -> !person.id().equals(viewer))
                .toList();
    }
}
