package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.pages.AnswerView.Cited;
import io.hiroba.knowledge.search.PendingAnswer;
import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.AssetUrls;
import io.hiroba.platform.web.Shell;
import io.hiroba.platform.web.Theme;
import io.hiroba.platform.web.WebPage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Streams an answer to a page: the card at once, the text so far at intervals, the complete card at the end. */
final class AnswerStream {

    private static final Logger log = LoggerFactory.getLogger(AnswerStream.class);

    /** The interval at which the whole text is rendered. */
    private static final long INTERVAL = Duration.ofMillis(80).toNanos();

    private final Shell shell;
    private final WebPage page;
    private final String question;
    private final PendingAnswer pending;
    private final List<Cited> passages;
    private final StringBuilder text = new StringBuilder();
    private long sentAt = System.nanoTime() - INTERVAL;
    private int count;

    AnswerStream(Shell shell, AssetUrls assets, Reader reader, String question, PendingAnswer pending) {
        this.shell = shell;
        this.page = new WebPage(reader, "", KnowledgePaths.SEARCH, null, List.of(), Map.of(), Theme.AUTO, null, assets);
        this.question = question;
        this.pending = pending;
        this.passages = Cited.of(pending.chunks());
    }

    /** Answers on another thread; the answer is cancelled when the reader disconnects. */
    Runnable begin(EventStream stream) {
        Thread.ofVirtual().name("ask").start(() -> run(stream));
        return pending::cancel;
    }

    private void run(EventStream stream) {
        try {
            card(stream, AnswerView.inProgress(question, pending.chunks()));
            var reply = pending.answer(part -> add(stream, part));
            card(stream, AnswerView.of(question, pending.chunks(), reply));
            send(stream, "done", "done");
        } catch (Problem refusal) {
            send(stream, "problem", page.text(refusal.detail()));
        } catch (RuntimeException e) {
            log.warn("A question could not be answered", e);
            send(stream, "problem", page.text("knowledge.answer.failed"));
        } finally {
            stream.finish();
        }
    }

    private void add(EventStream stream, String part) {
        text.append(part);
        if (System.nanoTime() - sentAt >= INTERVAL) {
            sentAt = System.nanoTime();
            send(stream, "text", AnswerText.of(text.toString(), passages).html().value());
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
