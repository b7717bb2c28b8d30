package io.hiroba.social.messages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.social.PostView.Owner;
import io.hiroba.social.SocialProblem;
import io.hiroba.social.messages.DirectMessages.MessageDraft;
import io.hiroba.social.messages.MessageThread.ThreadMember;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of direct messages. */
final class DirectMessageRoutes implements Routes {

    private static final String THREADS = "/api/v1/messages/threads";
    private static final String THREAD = THREADS + "/{thread}";
    private static final int MAX_IDS = 100;

    private final DirectMessages messages;
    private final Idempotency idempotency;
    private final Cursors cursors;
    private final KeysetList<MessageThread, Long> threads;

    DirectMessageRoutes(DirectMessages messages, Idempotency idempotency, Cursors cursors) {
        this.messages = messages;
        this.idempotency = idempotency;
        this.cursors = cursors;
        this.threads = new KeysetList<>(
                cursors,
                "message-threads",
                cursor -> cursor.number(0),
                thread -> Cursor.of(Long.toString(thread.position())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(THREADS, this::list);
        routes.post(THREADS, this::open);
        routes.get("/api/v1/messages/search", this::search);
        routes.get(THREAD, this::get);
        routes.get(THREAD + "/messages", this::messages);
        routes.post(THREAD + "/messages", this::send);
        routes.delete(THREAD + "/messages/{message}", this::delete);
        routes.post(THREAD + "/read", this::read);
        routes.post(THREAD + "/leave", this::leave);
    }

    private record NewThread(List<String> members, @Nullable String content) {}

    private record NewMessage(String content, @Nullable String about) {}

    private record ReadMark(int until) {}

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(threads.page(ctx, (before, limit) -> messages.threads(caller, before, limit))
                .map(ThreadView::of));
    }

    private void open(Context ctx) {
        var caller = Caller.of(ctx);
        var body = Body.json(ctx, NewThread.class);
        var members = members(body.members());
        var draft = body.content() == null ? null : MessageDraft.of(body.content());
        admit(ctx, caller);
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var opened = messages.open(tx, caller, members);
            if (draft != null) {
                messages.send(tx, caller, opened.thread(), draft);
            }
            var view = ThreadView.of(messages.thread(tx, caller, opened.thread()));
            return opened.created() ? Answer.created(THREADS + "/" + opened.thread(), view) : Answer.ok(view);
        });
    }

    static List<UserId> members(List<String> ids) {
        if (ids.size() > MAX_IDS || !ids.stream().allMatch(Ids::isId)) {
            throw SocialProblem.invalid("members", Text.of("social.field.nobody"));
        }
        return ids.stream().map(UserId::parse).toList();
    }

    private void admit(Context ctx, Caller caller) {
        if (!idempotency.isAnswered(ctx, caller.user().hex())) {
            messages.admit(caller);
        }
    }

    private void get(Context ctx) {
        ctx.json(ThreadView.of(messages.thread(Caller.of(ctx), thread(ctx))));
    }

    private void messages(Context ctx) {
        var caller = Caller.of(ctx);
        var thread = thread(ctx);
        var list = new KeysetList<DirectMessage, Integer>(
                cursors,
                "messages " + thread,
                cursor -> Math.clamp(cursor.number(0), 0, Integer.MAX_VALUE),
                message -> Cursor.of(Integer.toString(message.number())));
        ctx.json(list.page(ctx, (before, limit) -> messages.messages(caller, thread, before, limit))
                .map(MessageView::of));
    }

    private void send(Context ctx) {
        var caller = Caller.of(ctx);
        var thread = thread(ctx);
        var body = Body.json(ctx, NewMessage.class);
        var draft = new MessageDraft(body.content(), body.about());
        admit(ctx, caller);
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var sent = messages.send(tx, caller, thread, draft);
            return Answer.created(THREADS + "/" + thread + "/messages/" + sent.id(), MessageView.of(sent));
        });
    }

    private void delete(Context ctx) {
        messages.delete(Caller.of(ctx), thread(ctx), MessageId.parse(ctx.pathParam("message")));
        ctx.status(204);
    }

    private void read(Context ctx) {
        messages.read(
                Caller.of(ctx), thread(ctx), Body.json(ctx, ReadMark.class).until());
        ctx.status(204);
    }

    private void leave(Context ctx) {
        messages.leave(Caller.of(ctx), thread(ctx));
        ctx.status(204);
    }

    private void search(Context ctx) {
        var caller = Caller.of(ctx);
        var typed = Optional.ofNullable(ctx.queryParam("q")).orElse("");
        // The query is part of the name, so that a cursor is not valid for another search.
        var list = new KeysetList<DirectMessage, MessageId>(
                cursors,
                "message-search " + typed,
                cursor -> new MessageId(cursor.number(0)),
                message -> Cursor.of(Long.toString(message.id().value())));
        ctx.json(list.page(ctx, (before, limit) -> messages.search(caller, typed, before, limit))
                .map(MessageView::of));
    }

    private static ThreadId thread(Context ctx) {
        return ThreadId.parse(ctx.pathParam("thread"));
    }

    /** A member of a thread in the API. */
    private record MemberView(
            String id, String nickname, @Nullable String avatar, String kind, int readUntil) {

        static MemberView of(ThreadMember member) {
            var person = Owner.of(member.person());
            return new MemberView(person.id(), person.nickname(), person.avatar(), person.kind(), member.readUntil());
        }
    }

    /** A thread in the API. */
    private record ThreadView(
            String id,
            List<MemberView> members,
            boolean group,
            int unread,
            @Nullable MessageView newest) {

        static ThreadView of(MessageThread thread) {
            var newest = thread.newest();
            return new ThreadView(
                    thread.id().hex(),
                    thread.members().stream().map(MemberView::of).toList(),
                    !thread.pair(),
                    thread.unread(),
                    newest == null ? null : MessageView.of(newest));
        }
    }

    /** A message in the API. */
    private record MessageView(
            String id,
            String threadId,
            int number,
            Owner sender,
            String content,
            String html,
            @Nullable String about,
            Instant createdAt) {

        static MessageView of(DirectMessage message) {
            return new MessageView(
                    message.id().hex(),
                    message.thread().hex(),
                    message.number(),
                    Owner.of(message.sender()),
                    message.content(),
                    SafeHtml.ofMarkdown(message.content()).value(),
                    message.about(),
                    message.id().createdAt());
        }
    }
}
