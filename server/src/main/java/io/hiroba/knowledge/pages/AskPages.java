package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.knowledge.search.PendingAnswer;
import io.hiroba.knowledge.search.QuestionAnswering;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.AssetUrls;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Optional;

/**
 * The page that answers questions. The script reads the answer as a stream of HTML fragments; without it the page is sent when
 * the answer is complete.
 */
final class AskPages implements Routes {

    private final Shell shell;
    private final AssetUrls assets;
    private final Readers readers;
    private final KnowledgeSearchPages searchPages;
    private final QuestionAnswering answers;
    private final EventStreams streams;

    AskPages(
            Shell shell,
            AssetUrls assets,
            Readers readers,
            KnowledgeSearchPages searchPages,
            QuestionAnswering answers,
            EventStreams streams) {
        this.shell = shell;
        this.assets = assets;
        this.readers = readers;
        this.searchPages = searchPages;
        this.answers = answers;
        this.streams = streams;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(KnowledgePaths.ASK, this::ask);
        // A browser goes back to an answer.
        routes.get(KnowledgePaths.ASK, ctx -> shell.seeOther(ctx, KnowledgePaths.SEARCH));
    }

    private void ask(Context ctx) {
        var caller = Caller.of(ctx);
        var form = SearchForm.of(ctx).asQuestion();
        boolean isLive = Optional.ofNullable(ctx.header("Accept")).orElse("").contains("text/event-stream");
        var reader = readers.reader(ctx);
        PendingAnswer pending;
        try {
            pending = answers.begin(
                    caller,
                    new QuestionAnswering.Question(form.query(), null, form.filters(reader.zone()), reader.language()));
        } catch (Problem refusal) {
            if (isLive || !Form.canShow(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, KnowledgePaths.SEARCH);
            searchPages.show(ctx, KnowledgeSearchView.empty(form, refusal.detail(), false), null);
            return;
        }
        if (isLive) {
            var stream = new AnswerStream(shell, assets, reader, form.query(), pending);
            // Its own stream name, so that a question does not close another window of the same user.
            streams.serve(ctx, "ask:" + caller.user().hex(), stream::begin);
        } else {
            var reply = pending.answer(words -> {});
            var answer = AnswerView.of(form.query(), pending.chunks(), reply);
            searchPages.show(ctx, KnowledgeSearchView.empty(form, null, false), answer);
        }
    }
}
