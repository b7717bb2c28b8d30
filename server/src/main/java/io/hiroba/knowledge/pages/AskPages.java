package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.ask.Ask;
import io.hiroba.knowledge.ask.Asking;
import io.hiroba.knowledge.ask.Question;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.AssetUrls;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Optional;

/**
 * Questions put to the box. A script reads the answer while it is written, as pieces of the page; without it the page comes
 * when the answer is complete.
 */
public final class AskPages implements Routes {

    private final Shell shell;
    private final AssetUrls assets;
    private final Times times;
    private final SearchPages box;
    private final Ask ask;
    private final EventStreams streams;

    public AskPages(Shell shell, AssetUrls assets, Times times, SearchPages box, Ask ask, EventStreams streams) {
        this.shell = shell;
        this.assets = assets;
        this.times = times;
        this.box = box;
        this.ask = ask;
        this.streams = streams;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(Paths.ASK, this::ask);
        // What a browser asks for that goes back to an answer.
        routes.get(Paths.ASK, ctx -> shell.seeOther(ctx, Paths.ALL));
    }

    private void ask(Context ctx) {
        var caller = Caller.of(ctx);
        var asked = Asked.of(ctx).asking();
        boolean isLive = Optional.ofNullable(ctx.header("Accept")).orElse("").contains("text/event-stream");
        Asking asking;
        try {
            asking = ask.begin(caller, new Question(asked.query(), null, asked.filters(times.zone(ctx))));
        } catch (Problem refusal) {
            if (isLive || !Refusals.belongToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, Paths.ALL);
            box.show(ctx, SearchView.nothing(asked, refusal.detail(), false), null);
            return;
        }
        if (isLive) {
            var telling = new AnswerTelling(shell, assets, asked.query(), asking);
            // Under a name of their own: a question pushes out no window of its asker's.
            streams.serve(ctx, "ask:" + caller.user().hex(), telling::begin);
        } else {
            var reply = asking.answer(words -> {});
            var answer = AnswerView.of(asked.query(), asking.passages(), reply);
            box.show(ctx, SearchView.nothing(asked, null, false), answer);
        }
    }
}
