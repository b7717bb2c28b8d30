package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.pages.ChatView.Cited;
import io.hiroba.knowledge.pages.ChatView.Entry;
import io.hiroba.knowledge.search.Citation;
import io.hiroba.knowledge.search.PendingExchange;
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

/** Streams an answer to a page: the exchange at once, the text so far at intervals, the complete exchange at the end. */
final class ChatStream {

    private static final Logger log = LoggerFactory.getLogger(ChatStream.class);

    /** The interval at which the whole text is rendered. */
    private static final long INTERVAL = Duration.ofMillis(80).toNanos();

    private final Shell shell;
    private final WebPage page;
    private final String path;
    private final PendingExchange pending;
    private final StringBuilder text = new StringBuilder();
    private List<Cited> passages = List.of();
    private long sentAt = System.nanoTime() - INTERVAL;
    private int count;

    ChatStream(Shell shell, AssetUrls assets, Reader reader, String path, PendingExchange pending) {
        this.shell = shell;
        this.page = new WebPage(reader, "", path, null, List.of(), Map.of(), Theme.AUTO, null, assets);
        this.path = path;
        this.pending = pending;
    }

    /** Answers on another thread; the answer is stopped when the reader disconnects. */
    Runnable begin(EventStream stream) {
        Thread.ofVirtual().name("answer").start(() -> run(stream));
        return pending::stop;
    }

    private void run(EventStream stream) {
        try {
            var entry = Entry.of(pending.exchange(), false);
            send(stream, entry);
            var exchange =
                    pending.answer(found -> send(stream, entry.searching(cited(found))), part -> add(stream, part));
            send(stream, Entry.of(exchange, true));
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

    private List<Cited> cited(List<Citation> found) {
        passages = Cited.of(found);
        return passages;
    }

    private void add(EventStream stream, String part) {
        text.append(part);
        if (System.nanoTime() - sentAt >= INTERVAL) {
            sentAt = System.nanoTime();
            send(stream, "text", AnswerText.of(text.toString(), passages).html().value());
        }
    }

    private void send(EventStream stream, Entry entry) {
        send(
                stream,
                "exchange",
                shell.html("knowledge/exchange", Map.of("page", page, "path", path, "entry", entry, "isLive", true)));
    }

    private void send(EventStream stream, String event, String data) {
        count++;
        stream.send(Integer.toString(count), event, data.replace("\r", ""));
    }
}
