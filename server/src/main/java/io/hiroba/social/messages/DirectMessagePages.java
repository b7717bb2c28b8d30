package io.hiroba.social.messages;

import gg.jte.Content;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.Author;
import io.hiroba.social.PostCard;
import io.hiroba.social.messages.DirectMessages.MessageDraft;
import io.hiroba.social.messages.MessageThread.ThreadMember;
import io.hiroba.social.messages.MessageViews.MessageItem;
import io.hiroba.social.messages.MessageViews.NewMessageView;
import io.hiroba.social.messages.MessageViews.PersonItem;
import io.hiroba.social.messages.MessageViews.ThreadItem;
import io.hiroba.social.messages.MessageViews.ThreadList;
import io.hiroba.social.messages.MessageViews.ThreadPage;
import io.hiroba.social.pages.Additions;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pages of direct messages: the list of threads, one of them, and a new one. A thread that is shown is read. */
final class DirectMessagePages implements Routes, Additions {

    static final String PATH = "/messages";

    private static final int THREADS = 30;
    private static final int MESSAGES = 30;
    private static final int MAX_NEW = 200;

    private final Shell shell;
    private final Readers readers;
    private final DirectMessages messages;
    private final Idempotency idempotency;
    private final KeysetList<MessageThread, Long> threads;
    private final List<ThreadAdditions> additions;

    /** @param additions read with each request */
    DirectMessagePages(
            Shell shell,
            Readers readers,
            DirectMessages messages,
            Idempotency idempotency,
            Cursors cursors,
            List<ThreadAdditions> additions) {
        this.additions = additions;
        this.shell = shell;
        this.readers = readers;
        this.messages = messages;
        this.idempotency = idempotency;
        this.threads = new KeysetList<>(
                cursors,
                "pages.messages",
                THREADS,
                THREADS,
                cursor -> cursor.number(0),
                thread -> Cursor.of(Long.toString(thread.position())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.get(PATH + "/new", this::compose);
        routes.post(PATH + "/new", this::open);
        routes.get(PATH + "/{thread}", this::show);
        routes.post(PATH + "/{thread}", this::send);
        routes.get(PATH + "/{thread}/new", this::since);
        routes.post(PATH + "/{thread}/leave", this::leave);
        routes.post(PATH + "/{thread}/messages/{message}/delete", this::delete);
    }

    /** The page of a thread that shows a message. */
    static String path(DirectMessage message) {
        return PATH + "/" + message.thread() + "?before=" + (message.number() + 1) + "#message-" + message.number();
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var reader = readers.reader(ctx);
        var page = threads.page(ctx, (before, limit) -> messages.threads(caller, before, limit));
        var items = page.items().stream()
                .map(thread -> ThreadItem.of(thread, caller.user(), reader))
                .toList();
        var more = page.next() == null ? null : PATH + "?after=" + page.next();
        shell.page(ctx, Text.of("social.messages"), "social/messages", Map.of("list", new ThreadList(items, more)));
    }

    private void compose(Context ctx) {
        Caller.of(ctx).requireNotActing();
        showNew(ctx, Form.EMPTY, recipients(ctx.queryParams("to")));
    }

    private List<UserId> recipients(List<String> ids) {
        return ids.stream()
                .filter(Ids::isId)
                .distinct()
                .limit(DirectMessages.MAX_MEMBERS)
                .map(UserId::parse)
                .toList();
    }

    private void showNew(Context ctx, Form form, List<UserId> to) {
        var people = messages.people(to).stream().map(PersonItem::of).toList();
        shell.page(
                ctx,
                Text.of("social.new-message"),
                "social/new-message",
                Map.of("compose", new NewMessageView(people, form, key())));
    }

    private void open(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "names", "content", "key");
        var to = recipients(ctx.formParams("to"));
        try {
            var draft = MessageDraft.of(text(form));
            var named = messages.named(caller, names(form.value("names")));
            var members = Stream.concat(to.stream(), named.stream()).toList();
            messages.admit(caller);
            var answer = idempotency.once(ctx, caller.user().hex(), form.value("key"), tx -> {
                var thread = messages.open(tx, caller, members).thread();
                messages.send(tx, caller, thread, draft);
                return Answer.created(PATH + "/" + thread, Map.of("id", thread.hex()));
            });
            shell.seeOther(ctx, answer.headers().getOrDefault("Location", PATH));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            // Those who are chosen and those who are typed are one field to the eye.
            var members = form.refused(refusal);
            var error = members.error("members");
            showNew(ctx, error == null ? members : members.withError("names", error), to);
        }
    }

    private static List<String> names(String typed) {
        return Arrays.stream(typed.split("[,、，]+", -1))
                .map(name -> name.strip().startsWith("@") ? name.strip().substring(1) : name.strip())
                .filter(name -> !name.isEmpty())
                .distinct()
                .limit(DirectMessages.MAX_MEMBERS)
                .toList();
    }

    /** Forms send a line break as two characters, which would count twice. */
    private static String text(Form form) {
        return form.value("content").replace("\r\n", "\n");
    }

    private static String key() {
        return UUID.randomUUID().toString();
    }

    private void show(Context ctx) {
        show(ctx, Form.EMPTY);
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var id = thread(ctx);
        var reader = readers.reader(ctx);
        var before = Optional.ofNullable(ctx.queryParam("before"))
                .filter(number -> number.matches("[0-9]{1,9}"))
                .map(Integer::valueOf);
        var found = messages.messages(caller, id, before, MESSAGES + 1);
        var shown = found.stream().limit(MESSAGES).toList().reversed();
        if (before.isEmpty() && !shown.isEmpty()) {
            messages.read(caller, id, shown.getLast().number());
        }
        var thread = messages.thread(caller, id);
        var others = thread.others(caller.user());
        var view = new ThreadPage(
                id.hex(),
                MessageViews.title(others, reader),
                !thread.pair(),
                others.stream().map(PersonItem::of).toList(),
                items(ctx, shown, caller, reader),
                joined(additions.stream()
                        .map(each -> each.belowThread(ctx, shown))
                        .toList()),
                found.size() > MESSAGES
                        ? PATH + "/" + id + "?before=" + shown.getFirst().number()
                        : null,
                before.isPresent(),
                seen(thread, caller.user()),
                form,
                key());
        shell.page(ctx, view.title(), "social/message-thread", Map.of("thread", view));
    }

    private List<MessageItem> items(Context ctx, List<DirectMessage> shown, Caller caller, Reader reader) {
        var below =
                additions.stream().map(each -> each.belowMessages(ctx, shown)).toList();
        return shown.stream()
                .map(message -> MessageItem.of(
                        message,
                        caller.user(),
                        reader,
                        joined(below.stream()
                                .flatMap(parts -> Stream.ofNullable(parts.get(message.id())))
                                .toList())))
                .toList();
    }

    private static Content joined(List<Content> parts) {
        return output -> parts.forEach(part -> part.writeTo(output));
    }

    /** Those who have read the newest message, if the reader wrote it. */
    private static String seen(MessageThread thread, UserId reader) {
        var newest = thread.newest();
        if (newest == null || !newest.sender().id().equals(reader)) {
            return "";
        }
        return thread.members().stream()
                .filter(member -> !member.person().id().equals(reader) && member.readUntil() >= newest.number())
                .map(ThreadMember::person)
                .map(Author::nickname)
                .collect(Collectors.joining(", "));
    }

    /** The messages that have come since the page was shown, for its script. */
    private void since(Context ctx) {
        var caller = Caller.of(ctx);
        var id = thread(ctx);
        var reader = readers.reader(ctx);
        int after = Optional.ofNullable(ctx.queryParam("after"))
                .filter(number -> number.matches("[0-9]{1,9}"))
                .map(Integer::valueOf)
                .orElse(0);
        var found = messages.since(caller, id, after, MAX_NEW).reversed();
        if (!found.isEmpty()) {
            messages.read(caller, id, found.getLast().number());
        }
        shell.fragment(
                ctx,
                "social/messageitems",
                Map.of(
                        "thread",
                        id.hex(),
                        "messages",
                        items(ctx, found, caller, reader),
                        "seen",
                        seen(messages.thread(caller, id), caller.user())));
    }

    private void send(Context ctx) {
        var caller = Caller.of(ctx);
        var id = thread(ctx);
        var form = Form.of(ctx, "content", "key");
        try {
            var draft = MessageDraft.of(text(form));
            messages.admit(caller);
            idempotency.once(ctx, caller.user().hex(), form.value("key"), tx -> {
                var sent = messages.send(tx, caller, id, draft);
                return Answer.created(PATH + "/" + id, Map.of("id", sent.id().hex()));
            });
            shell.seeOther(ctx, PATH + "/" + id);
        } catch (Problem refusal) {
            if (refusal.kind() == Problem.Kind.NOT_FOUND) {
                throw refusal;
            }
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal));
        }
    }

    private void leave(Context ctx) {
        messages.leave(Caller.of(ctx), thread(ctx));
        shell.seeOther(ctx, PATH, Text.of("social.left-thread"));
    }

    private void delete(Context ctx) {
        var id = thread(ctx);
        messages.delete(Caller.of(ctx), id, MessageId.parse(ctx.pathParam("message")));
        shell.seeOther(ctx, PATH + "/" + id, Text.of("social.message-deleted"));
    }

    private static ThreadId thread(Context ctx) {
        return ThreadId.parse(ctx.pathParam("thread"));
    }

    @Override
    public Content belowPost(Context ctx, PostCard post) {
        return output -> {};
    }

    @Override
    public Content besideFollow(Context ctx, UserId person, String nickname) {
        return Caller.of(ctx).acting()
                ? output -> {}
                : shell.embed(ctx, "social/message-link", Map.of("person", person.hex(), "nickname", nickname));
    }
}
