package io.hiroba.social.messages;

import gg.jte.Content;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.web.Avatar;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.social.Author;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The views of the pages of direct messages. */
public final class MessageViews {

    private static final int SNIPPET = 120;

    private MessageViews() {}

    /** The names of those who are in a thread. */
    static String title(List<Author> others, Reader reader) {
        return others.isEmpty()
                ? reader.text("social.nobody-left")
                : others.stream().map(Author::nickname).collect(Collectors.joining(", "));
    }

    /** Somebody in a thread. */
    public record PersonItem(String id, String nickname, boolean isAgent, Avatar avatar) {

        static PersonItem of(Author author) {
            var id = author.id().hex();
            return new PersonItem(
                    id, author.nickname(), author.agent(), Avatar.of(id, author.nickname(), author.avatar()));
        }
    }

    /** A time as pages show it. */
    public record Moment(String ago, String exact, String iso) {

        static Moment of(Instant time, Reader reader) {
            return new Moment(reader.ago(time), reader.exact(time), time.toString());
        }
    }

    /** A thread in the list of threads. */
    public record ThreadItem(
            String id, String title, Avatar avatar, boolean isAgent, String snippet, Moment time, int unread) {

        static ThreadItem of(MessageThread thread, UserId viewer, Reader reader) {
            var others = thread.others(viewer);
            var title = MessageViews.title(others, reader);
            var first = others.isEmpty() ? null : others.getFirst();
            var newest = thread.newest();
            return new ThreadItem(
                    thread.id().hex(),
                    title,
                    first == null
                            ? Avatar.of(thread.id().hex(), title, null)
                            : PersonItem.of(first).avatar(),
                    first != null && others.size() == 1 && first.agent(),
                    newest == null ? "" : cut(Markdown.text(newest.content())),
                    Moment.of(
                            newest == null
                                    ? thread.id().createdAt()
                                    : newest.id().createdAt(),
                            reader),
                    thread.unread());
        }

        private static String cut(String text) {
            return text.codePointCount(0, text.length()) <= SNIPPET
                    ? text
                    : text.substring(0, text.offsetByCodePoints(0, SNIPPET)) + "…";
        }
    }

    /**
     * A page of the list of threads.
     *
     * @param more the address of the next page, if there is one
     */
    public record ThreadList(
            List<ThreadItem> items, @Nullable String more) {

        public ThreadList {
            items = List.copyOf(items);
        }
    }

    /** A message on the page of its thread. */
    public record MessageItem(
            String id,
            int number,
            PersonItem sender,
            boolean isOwn,
            SafeHtml html,
            @Nullable String about,
            Moment time,
            Content below) {

        static MessageItem of(DirectMessage message, UserId viewer, Reader reader, Content below) {
            return new MessageItem(
                    message.id().hex(),
                    message.number(),
                    PersonItem.of(message.sender()),
                    message.sender().id().equals(viewer),
                    SafeHtml.ofMarkdown(message.content()),
                    message.about(),
                    Moment.of(message.id().createdAt(), reader),
                    below);
        }
    }

    /**
     * A thread with some of its messages, the oldest first.
     *
     * @param earlier the address of the messages before these, if there are any
     * @param isEarlier whether it shows others than the newest
     * @param seen who has read the newest, if it is the reader's own
     */
    public record ThreadPage(
            String id,
            String title,
            boolean isGroup,
            List<PersonItem> others,
            List<MessageItem> messages,
            Content below,
            @Nullable String earlier,
            boolean isEarlier,
            String seen,
            Form form,
            String key) {

        public ThreadPage {
            others = List.copyOf(others);
            messages = List.copyOf(messages);
        }

        /** The number of the newest message that is shown. */
        public int last() {
            return messages.isEmpty() ? 0 : messages.getLast().number();
        }
    }

    /** The form of a new message. */
    public record NewMessageView(List<PersonItem> to, Form form, String key) {

        public NewMessageView {
            to = List.copyOf(to);
        }
    }
}
