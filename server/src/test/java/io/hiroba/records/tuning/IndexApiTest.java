package io.hiroba.records.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Authentication;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ManyRecords;
import io.hiroba.testkit.TestAccounts;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class IndexApiTest {

    private static final ManyRecords many = new ManyRecords();
    private static final Indexes indexes = new Indexes(many.db, many.accounts.clock, many.catalog);
    private static final Statistics statistics = new Statistics(many.db).start();
    private static final AttributeUsage usage = new AttributeUsage(many.db, many.accounts.clock).start();
    private static final Authentication authentication =
            new Authentication(many.accounts.sessions, many.accounts.tokens);
    private static final HttpServer server = HttpServer.builder(
                    HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(false, 1, 1)), many.db)
            .identity(authentication)
            .routes(
                    authentication,
                    new IndexRoutes(many.projects, indexes, new Idempotency(many.db, many.accounts.clock)))
            .build()
            .start();

    private static final ProjectAccess project = many.project();
    private static final String path =
            "/api/v1/projects/" + project.project().id().hex() + "/indexes";
    private static final ApiClient owner = client(many.owner.user());

    @AfterAll
    static void close() throws Exception {
        server.close();
        usage.close();
        statistics.close();
        many.close();
    }

    private static ApiClient client(UserId user) {
        var session = many.accounts.sessions.begin(TestAccounts.client(), user);
        return ApiClient.anonymous(server.port()).cookie(session.secret());
    }

    private static ApiClient member(ProjectRole role) {
        var user = many.accounts.user("member");
        many.projects.put(many.owner, project.project().id(), user, role);
        return client(user);
    }

    @Test
    void anOwnerSeesWhatWouldHelpHasItMadeSeesWhatItGainedAndDropsIt() {
        many.fill(project.tables(), 11_000);
        var schema = many.schema(project.tables());
        statistics.refresh(project.tables(), schema);
        for (int i = 0; i < 1204; i++) {
            usage.sorted(project.tables(), schema, many.attribute(project.tables(), "price"));
        }
        usage.flush();

        var proposal = owner.get(path).json().path("proposals").path(0);
        assertThat(proposal.path("schema").asString()).isEqualTo("item");
        assertThat(proposal.path("attributes").toString()).isEqualTo("[\"price\"]");
        assertThat(proposal.path("uses").asInt()).isEqualTo(1204);
        assertThat(proposal.path("reason").asString())
                .isEqualTo("`price` was sorted by 1,204 times in 7 days, among 11,000 records.");
        assertThat(proposal.path("automatic").asBoolean()).isFalse();

        var created = owner.post(path, "{'schema': 'item', 'attributes': ['price']}");
        assertThat(created.status()).isEqualTo(202);
        assertThat(created.text("state")).isEqualTo("wanted");
        assertThat(owner.get(path).json().path("proposals")).isEmpty();

        try (var _ = new IndexBuilder(many.db, many.accounts.clock, many.catalog, statistics).start()) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> owner.get(path)
                                    .json()
                                    .at("/indexes/0/effect/indexMillis")
                                    .asDouble(0)
                            > 0);
        }
        var index = owner.get(path).json().path("indexes").path(0);
        assertThat(index.path("state").asString()).isEqualTo("ready");
        assertThat(index.path("bytes").asLong()).isPositive();
        assertThat(index.path("since").asString()).isNotEmpty();
        assertThat(index.path("effect").path("text").asString()).contains("in the median");

        var name = index.path("name").asString();
        assertThat(owner.delete(path + "/" + name).status()).isEqualTo(204);
        assertThat(owner.get(path).json().at("/indexes/0/state").asString()).isEqualTo("dropping");
    }

    @Test
    void onlyOwnersSeeAndChangeIndexes() {
        for (var role : new ProjectRole[] {ProjectRole.VIEWER, ProjectRole.EDITOR}) {
            var client = member(role);
            assertThat(client.get(path).outcome()).isEqualTo("403 records.owners-only");
            assertThat(client.post(path, "{'schema': 'item', 'attributes': ['title']}")
                            .outcome())
                    .isEqualTo("403 records.owners-only");
            assertThat(client.delete(path + "/hot_0_100_x").outcome()).isEqualTo("403 records.owners-only");
        }
        var stranger = client(many.accounts.user("stranger"));
        assertThat(stranger.get(path).outcome()).isEqualTo("404 records.no-project");
        assertThat(stranger.post(path, "{'schema': 'item', 'attributes': ['title']}")
                        .outcome())
                .isEqualTo("404 records.no-project");
        assertThat(stranger.delete(path + "/x").outcome()).isEqualTo("404 records.no-project");
    }

    @Test
    void anotherProjectsIndexIsNotThere() {
        var created = owner.post(path, "{'schema': 'item', 'attributes': ['status', 'soldAt']}");
        var other = many.project();
        var elsewhere = "/api/v1/projects/" + other.project().id().hex() + "/indexes/";
        assertThat(owner.delete(elsewhere + created.text("name")).outcome()).isEqualTo("404 records.no-index");
        assertThat(owner.delete(path + "/records_x").outcome()).isEqualTo("404 records.no-index");
    }

    @Test
    void whatCannotBeIndexedIsRefused() {
        for (var attributes : new String[] {
            "[]", "['nothing']", "['note']", "['price', 'price']", "['title', 'status', 'price']", "['price\\\"; DROP']"
        }) {
            assertThat(owner.post(path, "{'schema': 'item', 'attributes': %s}".formatted(attributes))
                            .outcome())
                    .as(attributes)
                    .isEqualTo("400 records.invalid");
        }
        assertThat(owner.post(path, "{'schema': 'nothing', 'attributes': ['price']}")
                        .outcome())
                .isEqualTo("404 records.no-schema");
    }

    @Test
    void aRepeatWithTheSameKeyAsksForNothingNew() {
        var keyed = owner.with("Idempotency-Key", "one");
        var first = keyed.post(path, "{'schema': 'item', 'attributes': ['title']}");
        var second = keyed.post(path, "{'schema': 'item', 'attributes': ['title']}");
        assertThat(second.status()).isEqualTo(202);
        assertThat(second.text("name")).isEqualTo(first.text("name"));
        assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
    }
}
