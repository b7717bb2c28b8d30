package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.NewSource;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.TestKnowledge;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Dead letters and spaces over HTTP. */
class DeadLetterApiTest {

    private static final String ALL = "/api/v1/knowledge/dlq";
    private static final String SPACES = "/api/v1/knowledge/spaces";

    private static Square square;
    private static WorkerLease lease;
    private static Person owner;
    private static Person stranger;

    @BeforeAll
    static void start() {
        square = new Square();
        lease = new WorkerLease(square.server.database().db(), Clock.systemUTC(), Duration.ofSeconds(30));
        owner = square.person("Owner");
        stranger = square.person("Stranger");
    }

    @AfterAll
    static void stop() {
        lease.close();
        square.close();
    }

    /** A source of {@code person} whose chunks died before the server's own worker saw them. */
    private static SourceId dead(Person person, String... texts) {
        var space = new EmbeddingSpaces(square.server.database().db()).active();
        var note = new NewSource(
                UserId.parse(person.id()), false, SourceType.NOTE, "Notes", null, null, null, Place.NONE, Map.of());
        var chunks = TestKnowledge.chunks("Notes", texts);
        // In one transaction with the claim, the server's worker has no moment to be quicker.
        return square.server.database().db().inTransaction(tx -> {
            var source = new SourceWriter(lease.ids(), Clock.systemUTC())
                    .create(tx, note, chunks)
                    .orElseThrow();
            var store = new EmbeddingQueueStore();
            var id = UUID.randomUUID();
            var claim = new Claim(id, space, store.claim(tx, space, id, 100, 3, Duration.ofMinutes(1)));
            store.deadLetter(
                    tx,
                    claim,
                    claim.chunks().stream().map(chunk -> lease.ids().next()).toList(),
                    Fault.SERVER_ERROR);
            return source;
        });
    }

    @Test
    void deadLettersAreListedInPagesRetriedAndDeleted() {
        var source = dead(owner, "One", "Two", "Three");
        var first = owner.api().get(ALL + "?limit=2&sourceId=" + source.hex());
        assertThat(first.json().path("items")).hasSize(2);
        var letter = first.json().path("items").path(0);
        assertThat(letter.path("sourceId").asString()).isEqualTo(source.hex());
        assertThat(letter.path("sourceTitle").asString()).isEqualTo("Notes");
        assertThat(letter.path("errorCode").asString()).isEqualTo("SERVER_ERROR");
        assertThat(letter.path("errorMessage").asString()).isEqualTo("The embedding service failed.");
        assertThat(letter.path("model").asString())
                .isIn(LocalProvider.MODEL.toString(), GlossedProvider.MODEL.toString());
        var second = owner.api().get(ALL + "?limit=2&sourceId=%s&after=%s".formatted(source.hex(), first.text("next")));
        assertThat(second.json().path("items")).hasSize(1);

        var one = ALL + "/" + letter.path("id").asString();
        assertThat(stranger.api().post(one + "/retry", "").outcome()).isEqualTo("404 knowledge.no-dead-letter");
        assertThat(stranger.api().delete(one).outcome()).isEqualTo("404 knowledge.no-dead-letter");
        assertThat(owner.api().post(one + "/retry", "").outcome()).isEqualTo("204");
        assertThat(owner.api().post(one + "/retry", "").outcome()).isEqualTo("404 knowledge.no-dead-letter");
        var other = ALL + "/" + second.json().path("items").path(0).path("id").asString();
        assertThat(owner.api().delete(other).outcome()).isEqualTo("204");
        assertThat(owner.api()
                        .post(ALL + "/retry-all?errorCode=SERVER_ERROR&sourceId=" + source.hex(), "")
                        .json()
                        .path("retried")
                        .asInt())
                .as("the one that was put aside too, as the source is named")
                .isEqualTo(2);
        assertThat(owner.api().get(ALL + "?sourceId=" + source.hex()).json().path("items"))
                .isEmpty();
    }

    @Test
    void everybodysAreForAdmins() {
        dead(owner, "Four");
        assertThat(stranger.api().get(ALL).json().path("items")).isEmpty();
        assertThat(stranger.api().get(ALL + "?all=true").outcome()).startsWith("403");
        assertThat(stranger.api().post(ALL + "/retry-all?all=true", "").outcome())
                .startsWith("403");
        assertThat(square.admin.api().get(ALL + "?all=true").json().path("items"))
                .isNotEmpty();
        assertThat(square.anonymous().get(ALL).outcome()).startsWith("401");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThat(owner.api().get(ALL + "?all=maybe").outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(owner.api().get(ALL + "?sourceId=nonsense").status()).isEqualTo(400);
        assertThat(owner.api().get(ALL + "?after=nonsense").status()).isEqualTo(400);
        assertThat(owner.api().get(ALL + "?errorCode=%00").status()).isEqualTo(400);
        assertThat(owner.api().delete(ALL + "/nonsense").status()).isEqualTo(400);
    }

    @Test
    void spacesTellAdminsHowFarTheyAre() {
        assertThat(owner.api().get(SPACES).outcome()).startsWith("403");
        var space = square.admin.api().get(SPACES).json().path("items").path(0);
        assertThat(space.path("provider").asString()).isEqualTo("local");
        assertThat(space.path("state").asString()).isEqualTo("active");
        assertThat(space.path("progress").has("waiting")).isTrue();
        assertThat(space.path("breaker").path("state").asString()).isEqualTo("closed");
    }
}
