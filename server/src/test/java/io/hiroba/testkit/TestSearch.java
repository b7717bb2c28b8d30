package io.hiroba.testkit;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.NewSource;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.EmbeddingSpace;
import io.hiroba.knowledge.embedding.QueryEmbeddings;
import io.hiroba.knowledge.search.KnowledgeQuery;
import io.hiroba.knowledge.search.RecallSampler;
import io.hiroba.knowledge.search.Search;
import io.hiroba.knowledge.search.SearchConfig;
import io.hiroba.knowledge.search.SearchFilters;
import io.hiroba.knowledge.search.SearchMode;
import io.hiroba.platform.db.Db;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;

/** Searches over knowledge whose vectors are there at once. */
public final class TestSearch implements AutoCloseable {

    private static final SearchConfig CONFIG = new SearchConfig(0);

    public final TestKnowledge knowledge = new TestKnowledge();
    public final FakeProvider provider = new FakeProvider();
    public final Db searchDatabase =
            Db.open(knowledge.accounts.database.config().withPoolSize(4), Search.PLANNER);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    public final RecallSampler recall = new RecallSampler(searchDatabase, CONFIG, meters);
    public final QueryEmbeddings vectors = new QueryEmbeddings(knowledge.spaces, model -> provider, meters);
    public final Search search = new Search(searchDatabase, Clock.systemUTC(), knowledge.spaces, vectors, recall);

    public SourceId note(UserId owner, boolean isPublic, String title, Place place, String... texts) {
        var source = knowledge.note(owner, isPublic, title, place, texts);
        TestVectors.embed(knowledge.db, knowledge.spaces.active(), source);
        return source;
    }

    public SourceId add(NewSource source, String... texts) {
        var id = knowledge.db.inTransaction(tx -> knowledge
                .writer
                .create(tx, source, TestKnowledge.chunks(source.title(), texts))
                .orElseThrow());
        TestVectors.embed(knowledge.db, knowledge.spaces.active(), id);
        return id;
    }

    public Search.Result find(Caller caller, String text, SearchMode mode, SearchFilters filters) {
        return search.search(caller, new KnowledgeQuery(text, mode, 10, filters, null));
    }

    /** Puts another model in place of the one that is searched, as another node would: without a word. */
    public void switchModel(SourceId source) {
        int made = knowledge.db.inTransaction(tx -> {
            tx.update("UPDATE knowledge.spaces SET state = 'retired'").execute();
            tx.update("DROP TABLE " + knowledge.spaces.active().table()).execute();
            int space = tx.query("SELECT knowledge.make_space('fake', 'other', :dimensions, 'active')")
                    .bind("dimensions", FakeProvider.DIMENSIONS)
                    .mapTo(Integer.class)
                    .one();
            tx.update("""
                    INSERT INTO knowledge.embedding_queue (space_id, source_id, chunk_id)
                    SELECT :space, source_id, id FROM knowledge.knowledge_chunks
                    """).bind("space", space).execute();
            return space;
        });
        var space = new EmbeddingSpace(made, TestKnowledge.MODEL, EmbeddingSpace.State.ACTIVE);
        TestVectors.embed(knowledge.db, space, source);
    }

    @Override
    public void close() {
        recall.close();
        searchDatabase.close();
        knowledge.close();
    }
}
