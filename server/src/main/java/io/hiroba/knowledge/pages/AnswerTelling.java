package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.ask.Asking;
import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.AssetUrls;
import io.hiroba.platform.web.Page;
import io.hiroba.platform.web.Shell;
import io.hiroba.platform.web.Theme;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One answer on its way to a page: a card at once, what is said so far now and again, the whole card at the end. */
final class AnswerTelling {

    private static final Logger log = LoggerFactory.getLogger(AnswerTelling.class);

    /** All that was said is made into HTML each time: as often as eyes can follow is enough. */
    private static final long BETWEEN = Duration.ofMillis(80).toNanos();

    private final Shell shell;
    private final Page page;
    private final String question;
    private final Asking asking;
    private final List<CitedItem> passages;
    private final StringBuilder said = new StringBuilder();
    private long told = System.nanoTime() - BETWEEN;
    private int count;

    AnswerTelling(Shell shell, AssetUrls assets, String question, Asking asking) {
        this.shell = shell;
        this.page = new Page("", Paths.ALL, null, List.of(), Map.of(), Theme.AUTO, null, assets);
        this.question = question;
        this.asking = asking;
        this.passages = CitedItem.of(asking.passages());
    }

    /** Answers beside the thread that writes; a reader who is gone ends the answer. */
    Runnable begin(EventStream stream) {
        Thread.ofVirtual().name("ask").start(() -> tell(stream));
        return asking::cancel;
    }

    private void tell(EventStream stream) {
        try {
            card(stream, AnswerView.coming(question, asking.passages()));
            var reply = asking.answer(words -> add(stream, words));
            card(stream, AnswerView.of(question, asking.passages(), reply));
            send(stream, "done", "done");
        } catch (Problem refusal) {
            send(stream, "problem", refusal.detail());
        } catch (RuntimeException e) {
            log.warn("A question could not be answered", e);
            send(stream, "problem", "Something went wrong on our side. Ask again in a moment.");
        } finally {
            stream.finish();
        }
    }

    private void add(EventStream stream, String words) {
        said.append(words);
        if (System.nanoTime() - told >= BETWEEN) {
            told = System.nanoTime();
            send(stream, "text", AnswerText.of(said.toString(), passages).html().value());
        }
    }

    private void card(EventStream stream, AnswerView answer) {
        send(stream, "card", shell.html("knowledge/answer", Map.of("page", page, "answer", answer)));
    }

    private void send(EventStream stream, String event, String data) {
        count++;
        stream.send(Integer.toString(count), event, data.replace("\r", ""));
    }
}
