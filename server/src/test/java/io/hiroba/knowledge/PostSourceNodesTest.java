package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.embedding.EmbeddingSpaces;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import io.hiroba.testkit.ChildJvm;
import io.hiroba.testkit.TestKnowledge;
import io.hiroba.testkit.TestSocial;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that are killed while posts become knowledge. */
@Tag("slow")
class PostSourceNodesTest {

    private static final int AUTHORS = 4;
    private static final int POSTS = 60;
    private static final int KILLS = 3;

    private final TestSocial social = new TestSocial();
    private final Caller[] authors = new Caller[AUTHORS];
    /** What each post says that is to be known, by where it is. */
    private final Map<String, String> said = new TreeMap<>();

    /** Each source takes its time, so that there is a middle to be killed in. */
    @BeforeEach
    void begin() {
        new EmbeddingSpaces(social.db).prepare(TestKnowledge.MODEL);
        run("""
                CREATE FUNCTION knowledge.take_time() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM pg_sleep(0.03);
                    RETURN NEW;
                END
                $$
                """);
        run("""
                CREATE TRIGGER take_time AFTER INSERT ON knowledge.knowledge_sources
                FOR EACH ROW EXECUTE FUNCTION knowledge.take_time()
                """);
        var rules = new PostRules(social.db, social.accounts.lease.ids(), Clock.systemUTC(), new WakeSignal());
        for (int i = 0; i < AUTHORS; i++) {
            authors[i] = social.person("Author " + i);
            rules.add(authors[i], null, false);
        }
    }

    @AfterEach
    void end() {
        social.close();
    }

    private void run(String sql) {
        social.db.useTransaction(tx -> tx.update(sql).execute());
    }

    private PostId post(Caller author, String text) {
        var post = social.post(author, text);
        said.put(place(post), text);
        return post;
    }

    private static String place(PostId post) {
        return "/posts/" + post.hex();
    }

    private int sources() {
        return social.accounts.count("SELECT count(*) FROM knowledge.knowledge_sources");
    }

    /** Whether somebody is in the middle of a batch: has written a source, and has not committed it. */
    private boolean inTheMiddle() {
        return social.accounts.count("""
                        SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event = 'PgSleep'
                        """) > 0;
    }

    private void killInTheMiddle() {
        int before = sources();
        var config = social.accounts.database.config();
        try (var node = ChildJvm.start(PostSourceNode.class, config.url(), config.user(), config.password())) {
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> sources() > before && inTheMiddle());
            node.kill();
        }
    }

    /** What is known, by where it is; what is known twice stands there twice. */
    private Map<String, String> known() {
        var known = new TreeMap<String, String>();
        social.db
                .read(reads -> reads.query("""
                        SELECT s.uri, string_agg(c.content, ' and ' ORDER BY c.position) AS content
                        FROM knowledge.knowledge_sources s
                        LEFT JOIN knowledge.knowledge_chunks c ON c.source_id = s.id
                        GROUP BY s.id, s.uri
                        """)
                        .map(row -> Map.entry(row.getString("uri"), row.getString("content")))
                        .list())
                .forEach(source ->
                        known.merge(source.getKey(), source.getValue(), (one, other) -> one + " or " + other));
        return known;
    }

    @Test
    void aNodeKilledInTheMiddleOfABatchLosesAndDoublesNothing() {
        var posts = new PostId[AUTHORS][POSTS];
        for (int i = 0; i < POSTS; i++) {
            for (int author = 0; author < AUTHORS; author++) {
                posts[author][i] = post(authors[author], "Post %d of %d.".formatted(i, author));
            }
        }
        for (int kill = 0; kill < KILLS; kill++) {
            killInTheMiddle();
            for (int author = 0; author < AUTHORS; author++) {
                var edited = posts[author][2 * kill];
                social.posts.edit(authors[author], edited, PostDraft.of("Edited " + kill));
                said.put(place(edited), "Edited " + kill);
                social.posts.delete(authors[author], posts[author][2 * kill + 1]);
                said.remove(place(posts[author][2 * kill + 1]));
            }
        }
        assertThat(sources()).isLessThan(AUTHORS * POSTS);
        run("DROP TRIGGER take_time ON knowledge.knowledge_sources");
        var writer = new SourceWriter(social.accounts.lease.ids(), Clock.systemUTC());
        social.consume(PostSourceConsumer.NAME, new PostSourceConsumer(new PostSourceSync(writer, 100)));
        social.settle();
        assertThat(known()).isEqualTo(said);
        assertThat(social.accounts.count("SELECT count(*) FROM knowledge.embedding_queue"))
                .isEqualTo(said.size());
    }
}
