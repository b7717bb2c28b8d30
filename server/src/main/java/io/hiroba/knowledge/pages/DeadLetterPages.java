package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.knowledge.embedding.DeadLetter;
import io.hiroba.knowledge.embedding.DeadLetterId;
import io.hiroba.knowledge.embedding.DeadLetters;
import io.hiroba.knowledge.embedding.DeadLetters.Filter;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The page of dead letters: chunks that could not be embedded, with the reason, to retry or delete. */
final class DeadLetterPages implements Routes {

    private static final int PAGE_SIZE = 30;
    private static final int MAX_PAGE_SIZE = 100;

    private final Shell shell;
    private final Readers readers;
    private final DeadLetters letters;
    private final KeysetList<DeadLetter, DeadLetterId> list;

    DeadLetterPages(Shell shell, Readers readers, DeadLetters letters, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.letters = letters;
        this.list = new KeysetList<>(
                cursors,
                "pages.knowledge-dead-letters",
                PAGE_SIZE,
                MAX_PAGE_SIZE,
                cursor -> DeadLetterId.parse(cursor.text(0)),
                last -> Cursor.of(last.id().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(KnowledgePaths.DEAD_LETTERS, ctx -> show(ctx, Form.EMPTY));
        routes.post(KnowledgePaths.DEAD_LETTERS + "/retry-all", this::retryAll);
        routes.post(KnowledgePaths.DEAD_LETTERS + "/{id}/retry", this::retry);
        routes.post(KnowledgePaths.DEAD_LETTERS + "/{id}/delete", this::delete);
    }

    private void retryAll(Context ctx) {
        int number = letters.retryAll(Caller.of(ctx), false, Filter.NONE);
        shell.seeOther(
                ctx, KnowledgePaths.DEAD_LETTERS, Text.of("knowledge.dead-letters.retrying-all", "count", number));
    }

    private void retry(Context ctx) {
        try {
            letters.retry(Caller.of(ctx), id(ctx));
            shell.seeOther(ctx, KnowledgePaths.DEAD_LETTERS, Text.of("knowledge.dead-letters.retrying"));
        } catch (Problem refusal) {
            if (!Form.canShow(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, KnowledgePaths.DEAD_LETTERS);
            show(ctx, Form.EMPTY.refused(refusal));
        }
    }

    private void delete(Context ctx) {
        letters.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, KnowledgePaths.DEAD_LETTERS, Text.of("knowledge.dead-letters.deleted"));
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var page = list.page(ctx, (after, limit) -> letters.list(caller, false, Filter.NONE, after, limit));
        var more = page.next() == null ? "" : KnowledgePaths.DEAD_LETTERS + "?after=" + page.next();
        var reader = readers.reader(ctx);
        var items = page.items().stream()
                .map(letter -> DeadLetterItem.of(letter, reader))
                .toList();
        shell.page(
                ctx,
                Text.of("knowledge.tabs.dead-letters"),
                "knowledge/dead-letters",
                Map.of("letters", items, "more", more, "form", form));
    }

    private static DeadLetterId id(Context ctx) {
        return DeadLetterId.parse(ctx.pathParam("id"));
    }
}
