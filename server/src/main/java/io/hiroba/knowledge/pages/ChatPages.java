package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.knowledge.KnowledgeCollections;
import io.hiroba.knowledge.search.Conversation;
import io.hiroba.knowledge.search.ConversationId;
import io.hiroba.knowledge.search.Conversations;
import io.hiroba.knowledge.search.Conversations.FoundConversation;
import io.hiroba.knowledge.search.PendingExchange;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.web.AssetUrls;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pages of conversations: a list with a question box, and one conversation. The script reads an answer as a stream of HTML
 * fragments; without it the page is sent when the answer is complete.
 */
final class ChatPages implements Routes {

    private static final String PATH = KnowledgePaths.CHAT + "/{id}";
    private static final int PAGE_SIZE = 30;
    private static final int MAX_PAGE_SIZE = 100;

    private final Shell shell;
    private final AssetUrls assets;
    private final Readers readers;
    private final Conversations conversations;
    private final KnowledgeCollections collections;
    private final EventStreams streams;
    private final KeysetList<FoundConversation, Conversation.Position> list;

    ChatPages(
            Shell shell,
            AssetUrls assets,
            Readers readers,
            Conversations conversations,
            KnowledgeCollections collections,
            EventStreams streams,
            Cursors cursors) {
        this.shell = shell;
        this.assets = assets;
        this.readers = readers;
        this.conversations = conversations;
        this.collections = collections;
        this.streams = streams;
        this.list = new KeysetList<>(
                cursors,
                "pages.knowledge-conversations",
                PAGE_SIZE,
                MAX_PAGE_SIZE,
                Conversation.Position::of,
                last -> Conversation.Position.of(last.conversation()).cursor());
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(KnowledgePaths.CHAT, ctx -> list(ctx, Form.EMPTY));
        routes.post(KnowledgePaths.CHAT, this::create);
        routes.get(PATH, ctx -> show(ctx, Form.EMPTY));
        routes.get(PATH + "/export", this::export);
        routes.post(PATH + "/messages", this::ask);
        routes.post(PATH + "/regenerate", this::regenerate);
        routes.post(PATH + "/stop", this::stop);
        routes.post(PATH + "/rename", this::rename);
        routes.post(PATH + "/share", this::share);
        routes.post(PATH + "/delete", this::delete);
    }

    private void list(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var query = Optional.ofNullable(ctx.queryParam("q")).orElse("").strip();
        var words = SearchWords.ofFolded(query);
        var page = list.page(ctx, (after, limit) -> conversations.find(caller, words, after, limit));
        var more = page.next() == null
                ? ""
                : KnowledgePaths.Url.of(KnowledgePaths.CHAT)
                        .with("q", query)
                        .with("after", page.next())
                        .text();
        var reader = readers.reader(ctx);
        var rows = page.items().stream()
                .map(found -> ChatView.Row.of(found, words, reader))
                .toList();
        shell.page(
                ctx,
                Text.of("knowledge.tabs.chat"),
                "knowledge/chats",
                Map.of(
                        "conversations",
                        rows,
                        "query",
                        query,
                        "more",
                        more,
                        "form",
                        form,
                        "collections",
                        SearchForm.Choice.collections(
                                collections, caller, SearchForm.of(ctx).collection(), any -> true)));
    }

    /** The question is answered when its page asks for it, so that a reload does not ask again. */
    private void create(Context ctx) {
        var form = Form.of(ctx, "q");
        try {
            var filters = SearchForm.of(ctx).filters(readers.reader(ctx).zone());
            var made = conversations.create(Caller.of(ctx), null, form.value("q"), filters);
            shell.seeOther(ctx, KnowledgePaths.chat(made.id()));
        } catch (Problem refusal) {
            refused(ctx, refusal, KnowledgePaths.CHAT);
            list(ctx, form.withProblem(refusal.detail()));
        }
    }

    private void refused(Context ctx, Problem refusal, String page) {
        if (isLive(ctx) || !Form.canShow(refusal)) {
            throw refusal;
        }
        shell.refused(ctx, refusal, page);
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var chat = ChatView.of(
                conversations.open(caller, id(ctx), readers.reader(ctx).language()), caller);
        shell.page(ctx, chat.title(), "knowledge/chat", Map.of("chat", chat, "form", form));
    }

    private void ask(Context ctx) {
        var form = Form.of(ctx, "q");
        var language = readers.reader(ctx).language();
        answer(ctx, form, () -> conversations.ask(Caller.of(ctx), id(ctx), form.value("q"), language));
    }

    private void regenerate(Context ctx) {
        var language = readers.reader(ctx).language();
        answer(ctx, Form.EMPTY, () -> conversations.regenerate(Caller.of(ctx), id(ctx), language));
    }

    private void answer(Context ctx, Form form, Supplier<PendingExchange> asking) {
        var path = KnowledgePaths.chat(id(ctx));
        PendingExchange pending;
        try {
            pending = asking.get();
        } catch (Problem refusal) {
            refused(ctx, refusal, path);
            show(ctx, form.withProblem(refusal.detail()));
            return;
        }
        if (isLive(ctx)) {
            var stream = new ChatStream(shell, assets, readers.reader(ctx), path, pending);
            // Its own stream name, so that a question does not close another window of the same user.
            streams.serve(ctx, "ask:" + Caller.of(ctx).user().hex(), stream::begin);
        } else {
            var exchange = pending.answer(found -> {}, words -> {});
            shell.seeOther(ctx, path + "#x" + exchange.index());
        }
    }

    private static boolean isLive(Context ctx) {
        return Optional.ofNullable(ctx.header("Accept")).orElse("").contains("text/event-stream");
    }

    private void stop(Context ctx) {
        conversations.stop(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, KnowledgePaths.chat(id(ctx)));
    }

    private void rename(Context ctx) {
        var form = Form.of(ctx, "title");
        try {
            change(ctx, form.value("title"), null, Text.of("knowledge.source.renamed"));
        } catch (Problem refusal) {
            refused(ctx, refusal, KnowledgePaths.chat(id(ctx)));
            show(ctx, form.refused(refusal));
        }
    }

    private void share(Context ctx) {
        boolean isShared = Form.of(ctx, "shared").isChecked("shared");
        change(
                ctx,
                null,
                isShared,
                isShared ? Text.of("knowledge.chat.now-shared") : Text.of("knowledge.chat.now-private"));
    }

    private void change(Context ctx, @Nullable String title, @Nullable Boolean isShared, Text notice) {
        conversations.change(Caller.of(ctx), id(ctx), title, isShared);
        shell.seeOther(ctx, KnowledgePaths.chat(id(ctx)), notice);
    }

    private void delete(Context ctx) {
        conversations.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, KnowledgePaths.CHAT, Text.of("knowledge.chat.deleted"));
    }

    private void export(Context ctx) {
        var reader = readers.reader(ctx);
        var opened = conversations.open(Caller.of(ctx), id(ctx), reader.language());
        ctx.contentType("text/markdown; charset=utf-8")
                .header("Content-Disposition", "attachment; filename=\"conversation-%s.md\"".formatted(id(ctx).hex()))
                .result(ChatMarkdown.of(opened, reader));
    }

    private static ConversationId id(Context ctx) {
        return ConversationId.parse(ctx.pathParam("id"));
    }
}
