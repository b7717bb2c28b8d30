package io.hiroba.knowledge.search;

import io.hiroba.knowledge.search.AskRoutes.CitationView;
import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The events of an answer: {@code passages}, {@code delta} for each of its parts, then {@code done} or {@code problem}. */
final class AnswerStream {

    private static final Logger log = LoggerFactory.getLogger(AnswerStream.class);

    private final EventStream stream;
    private final Language language;
    private final AtomicInteger count = new AtomicInteger();

    AnswerStream(EventStream stream, Language language) {
        this.stream = stream;
        this.language = language;
    }

    /** Lets {@code answer} send its events on another thread; the stream ends with it. */
    void begin(Consumer<AnswerStream> answer) {
        Thread.ofVirtual().name("answer").start(() -> run(answer));
    }

    private void run(Consumer<AnswerStream> answer) {
        try {
            answer.accept(this);
        } catch (Problem e) {
            problem(e.code(), e.detail().in(language));
        } catch (RuntimeException e) {
            log.warn("A question could not be answered", e);
            problem("http.internal", Text.of("http.problem.internal").in(language));
        } finally {
            stream.finish();
        }
    }

    void passages(List<Citation> passages) {
        send("passages", CitationView.of(passages, language));
    }

    void delta(String words) {
        send("delta", Map.of("text", words));
    }

    void problem(String code, String detail) {
        send("problem", Map.of("code", code, "detail", detail));
    }

    void done(Object answer) {
        send("done", answer);
    }

    private void send(String event, Object data) {
        stream.send(Integer.toString(count.incrementAndGet()), event, Json.text(data));
    }
}
