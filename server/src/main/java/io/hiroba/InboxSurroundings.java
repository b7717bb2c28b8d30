package io.hiroba;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.own.KnownRecords;
import io.hiroba.inbox.own.KnownSources.KnownSource;
import io.hiroba.inbox.own.OwnEvents.Surroundings;
import io.hiroba.inbox.own.RecordPlace;
import io.hiroba.knowledge.SourceId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.records.ProjectId;
import io.hiroba.records.data.Glances.Glance;
import io.hiroba.records.data.Glances;
import io.hiroba.records.data.RowId;
import io.hiroba.records.schema.ValueType;
import io.hiroba.saga.SagaRoles;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import java.util.Optional;

/** What the inbox asks of the features around it, of which it knows nothing itself. */
final class InboxSurroundings implements KnownRecords {

    /** Records that have this attribute say with it who is to see to them. */
    private static final String ASSIGNEE = "assignee";

    private final Glances glances;

    private InboxSurroundings(Glances glances) {
        this.glances = glances;
    }

    static Surroundings of(SagaRoles roles, KnowledgeWiring knowledge, RecordsWiring records, Posts posts) {
        return new Surroundings(
                roles::operators,
                (reads, id) -> source(reads, knowledge, new SourceId(id)),
                new InboxSurroundings(new Glances(records.projects, records.catalog, records.sights)),
                (reads, post, author) ->
                        posts.content(reads, author, new PostId(post)).map(InboxSurroundings::title));
    }

    private static Optional<KnownSource> source(Reads reads, KnowledgeWiring knowledge, SourceId id) {
        return knowledge
                .sources
                .sources
                .find(reads, id)
                .map(source -> new KnownSource(
                        source.owner(),
                        source.isPublic(),
                        source.title(),
                        knowledge.deadLetters.areWaiting(reads, id)));
    }

    /** What a post is called: its first words, as plain text. */
    static String title(String content) {
        return Markdown.text(content)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("");
    }

    @Override
    public boolean areAssigned(Tx tx, long project, String schema) {
        return glances.schema(tx, new ProjectId(project), schema)
                .flatMap(found -> found.attribute(ASSIGNEE))
                .filter(attribute -> attribute.type() == ValueType.TEXT)
                .isPresent();
    }

    @Override
    public Optional<KnownRecord> find(Tx tx, RecordPlace place) {
        return glances.of(tx, new ProjectId(place.project()), place.schema(), new RowId(place.row()))
                .map(Known::new);
    }

    private record Known(Glance glance) implements KnownRecord {

        @Override
        public String title() {
            return glance.title(ASSIGNEE);
        }

        @Override
        public Optional<String> assignee() {
            return glance.text(ASSIGNEE);
        }

        @Override
        public boolean isSeenBy(UserId user) {
            return glance.isSeenBy(user);
        }
    }
}
