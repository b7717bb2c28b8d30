package io.hiroba.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.live.StreamRoutes;
import io.javalin.http.Context;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams that live for a moment, so that a whole one is an answer like any other. */
@Tag("slow")
class StreamResumeTest {

    private final Numbers evens = new Numbers("evens", 2);
    private final Numbers odds = new Numbers("odds", 1);
    private final LiveServer server = LiveServer.with(new StreamRoutes(
            new EventStreams(10, Duration.ofMillis(50), Duration.ofMillis(300)), ctx -> "ann", List.of(evens, odds)));

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aStreamEndsWhenItsTimeIsOver() {
        long start = System.nanoTime();
        var answer = server.get("/api/v1/stream");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).startsWith("retry: 2000\n\n").contains("\n:\n");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        assertThat(evens.listening).isZero();
    }

    @Test
    void whoComesBackWithTheLastIdIsToldTheRestAndNothingTwice() {
        evens.reach(4);
        odds.reach(3);
        var first = messages(server.get("/api/v1/stream").body());
        assertThat(first).extracting(Message::data).containsExactly("2", "4", "1", "3");
        assertThat(first.getLast().id()).isEqualTo("evens=4;odds=3");

        evens.reach(8);
        odds.reach(5);
        var second = messages(server.send(back(first.getLast().id())).body());
        assertThat(second).extracting(Message::data).containsExactly("6", "8", "5");
        assertThat(messages(server.send(back(second.getLast().id())).body())).isEmpty();
    }

    @Test
    void whoBrokeOffInTheMiddleGoesOnFromThere() {
        evens.reach(4);
        odds.reach(3);
        var first = messages(server.get("/api/v1/stream").body());
        assertThat(messages(server.send(back(first.get(1).id())).body()))
                .extracting(Message::data)
                .containsExactly("1", "3");
    }

    @Test
    void aScriptNamesTheIdInTheAddressAndTheBrowsersOwnWordCounts() {
        evens.reach(4);
        assertThat(messages(server.get("/api/v1/stream?lastEventId=evens=2").body()))
                .extracting(Message::data)
                .containsExactly("4");
        assertThat(messages(server.send(server.request("/api/v1/stream?lastEventId=evens=0")
                                .header("Last-Event-ID", "evens=4"))
                        .body()))
                .isEmpty();
    }

    @Test
    void aBrokenIdIsAnsweredWithWhatIsWrong() {
        var answer = server.send(back("42"));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("http.invalid").contains("Last-Event-ID");
        assertThat(server.send(back("evens=x")).statusCode()).isEqualTo(400);
        assertThat(evens.listening).isZero();
    }

    @Test
    void aSourceThatFailsEndsWhatTheOthersHaveBegun() {
        odds.broken = true;
        assertThat(server.get("/api/v1/stream").statusCode()).isEqualTo(500);
        assertThat(evens.listening).isZero();
    }

    private HttpRequest.Builder back(String id) {
        return server.request("/api/v1/stream").header("Last-Event-ID", id);
    }

    private record Message(String id, String data) {}

    private static List<Message> messages(String body) {
        var messages = new ArrayList<Message>();
        for (var block : body.split("\n\n", -1)) {
            if (block.startsWith("id: ")) {
                var lines = block.split("\n", -1);
                assertThat(lines[1]).isEqualTo("event: number");
                messages.add(new Message(lines[0].substring("id: ".length()), lines[2].substring("data: ".length())));
            }
        }
        return messages;
    }

    /** Counts up in twos; a reader is told of all numbers after its position. */
    private static final class Numbers implements LiveSource {

        private final String name;
        private final int first;
        private volatile int reached;
        private volatile int listening;
        private volatile boolean broken;

        Numbers(String name, int first) {
            this.name = name;
            this.first = first;
        }

        void reach(int number) {
            reached = number;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
            int after = position.map(text -> {
                        if (!text.matches("[0-9]{1,5}")) {
                            throw HttpProblem.invalid("Last-Event-ID", Text.verbatim("is not a number"));
                        }
                        return Integer.parseInt(text);
                    })
                    .orElse(0);
            return Optional.of(new Wish(after));
        }

        private final class Wish implements Subscription {

            private final int after;

            Wish(int after) {
                this.after = after;
            }

            @Override
            public String position() {
                return Integer.toString(after);
            }

            @Override
            public synchronized Runnable begin(Channel channel) {
                if (broken) {
                    throw new IllegalStateException("broken");
                }
                listening = 1;
                IntStream.iterate(first, number -> number <= reached, number -> number + 2)
                        .filter(number -> number > after)
                        .forEach(number -> channel.send(Integer.toString(number), "number", Integer.toString(number)));
                return () -> listening = 0;
            }
        }
    }
}
