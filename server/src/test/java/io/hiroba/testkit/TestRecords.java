package io.hiroba.testkit;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.OptionChanges;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordEvents;
import io.hiroba.records.RecordHistory;
import io.hiroba.records.RecordView;
import io.hiroba.records.Records;
import io.hiroba.records.RemovedAttributes;
import io.hiroba.records.RemovedSchemas;
import io.hiroba.records.Retypes;
import io.hiroba.records.RowId;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.SchemaChanges;
import io.hiroba.records.SchemaDefinition;
import io.hiroba.records.Schemas;
import io.hiroba.records.WriteResult;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Records on a database of their own. */
public final class TestRecords implements AutoCloseable {

    private static final Pattern FLAG = Pattern.compile("(\\w+)=(\\S+)");

    public final TestAccounts accounts = new TestAccounts();
    public final Db db = accounts.db;
    public final EventLog log = new EventLog();
    public final Projects projects = new Projects(db, accounts.lease.ids(), log);
    public final SchemaCatalog catalog = new SchemaCatalog(db);
    public final AccessResolver accessResolver = new AccessResolver(accounts.users);
    public final Schemas schemas = new Schemas(db, catalog);
    public final SchemaChanges changes = new SchemaChanges(db, accounts.clock, catalog, log);
    public final RemovedAttributes removed = new RemovedAttributes(db, accounts.clock, catalog);
    public final RemovedSchemas removedSchemas = new RemovedSchemas(db, accounts.clock, catalog, log);
    public final Retypes retypes = new Retypes(db, Clock.systemUTC(), accounts.lease.ids(), catalog, new WakeSignal());
    private final RecordEvents events = new RecordEvents(log);
    public final OptionChanges options = new OptionChanges(db, accounts.clock, catalog, events);
    public final Records records = new Records(db, Clock.systemUTC(), catalog, accessResolver, events);
    public final RecordHistory history = new RecordHistory(db, catalog, accessResolver, records, events);

    public Caller person(String nickname) {
        return accounts.caller(accounts.user(nickname));
    }

    /** A project of somebody new, as its owner. */
    public ProjectAccess project() {
        var owner = person("owner");
        var project = db.inTransaction(tx -> projects.create(tx, owner, "shop"));
        return projects.access(owner, project.id());
    }

    /** Somebody new in the project. */
    public ProjectAccess member(ProjectAccess owner, ProjectRole role) {
        return member(owner, accounts.user("member"), role);
    }

    public ProjectAccess member(ProjectAccess owner, UserId user, ProjectRole role) {
        projects.put(owner.caller(), owner.project().id(), user, role);
        return projects.access(accounts.caller(user), owner.project().id());
    }

    /**
     * Makes a schema of attributes such as {@code "price numeric required min=0"}: a name, a type, flags ({@code required},
     * {@code unique}, {@code prefixSearch}), and values as JSON without spaces ({@code default=}, {@code enum=["a","b"]},
     * {@code min=}, {@code max=}, {@code pattern="a*"}, {@code references="person"}).
     */
    public Schema schema(ProjectAccess owner, String name, String... attributes) {
        return schemas.define(owner, definition(name, attributes));
    }

    public static SchemaDefinition definition(String name, String... attributes) {
        var json = Json.exact().createObjectNode().put("name", name);
        var list = json.putArray("attributes");
        Arrays.stream(attributes).forEach(attribute -> list.add(attribute(attribute)));
        return Json.exact().treeToValue(json, SchemaDefinition.class);
    }

    private static ObjectNode attribute(String text) {
        var words = text.split(" ", -1);
        var json = Json.exact().createObjectNode().put("name", words[0]).put("type", words[1]);
        Stream.of(words).skip(2).forEach(word -> {
            var flag = FLAG.matcher(word);
            if (flag.matches()) {
                json.set(flag.group(1), Json.exact().readTree(flag.group(2)));
            } else {
                json.put(word, true);
            }
        });
        return json;
    }

    /** Makes records of objects such as {@code {'price': 3}}, single quotes for double ones; the answer is their ids. */
    public List<RowId> insert(ProjectAccess access, String schema, String... values) {
        return records
                .create(access, schema, Stream.of(values).map(TestRecords::json).toList(), true)
                .stream()
                .map(outcome -> ((WriteResult.Written) outcome).row().id())
                .toList();
    }

    /** Makes one record. */
    public RowId one(ProjectAccess access, String schema, String values) {
        return insert(access, schema, values).getFirst();
    }

    public RecordView get(ProjectAccess access, String schema, RowId id) {
        return records.get(access, schema, id);
    }

    /** JSON with exact numbers and single quotes for double ones. */
    public static JsonNode json(String text) {
        return Json.exact().readTree(text.replace('\'', '"'));
    }

    /** A number out of SQL in which {@code @} stands for the project's suffix. */
    public int count(ProjectAccess access, String sql) {
        return db.read(reads -> reads.query(sql.replace("@", access.tables().suffix()))
                .mapTo(Integer.class)
                .one());
    }

    @Override
    public void close() {
        accounts.close();
    }
}
