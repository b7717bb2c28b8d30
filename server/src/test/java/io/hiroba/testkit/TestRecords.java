package io.hiroba.testkit;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Json;
import io.hiroba.records.Access;
import io.hiroba.records.Projects;
import io.hiroba.records.Role;
import io.hiroba.records.data.History;
import io.hiroba.records.data.Outcome;
import io.hiroba.records.data.RecordEvents;
import io.hiroba.records.data.RecordView;
import io.hiroba.records.data.Records;
import io.hiroba.records.data.RowId;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.SchemaDefinition;
import io.hiroba.records.schema.Schemas;
import io.hiroba.records.schema.Sights;
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
    public final EventLog log = new EventLog(new CommitSignal());
    public final Projects projects = new Projects(db, accounts.lease.ids(), log);
    public final Catalog catalog = new Catalog(db);
    public final Sights sights = new Sights(accounts.users);
    public final Schemas schemas = new Schemas(db, catalog);
    private final RecordEvents events = new RecordEvents(log);
    public final Records records = new Records(db, Clock.systemUTC(), catalog, sights, events);
    public final History history = new History(db, catalog, sights, records, events);

    public Caller person(String nickname) {
        return accounts.caller(accounts.user(nickname));
    }

    /** A project of somebody new, as its owner. */
    public Access project() {
        var owner = person("owner");
        var project = db.inTransaction(tx -> projects.create(tx, owner, "shop"));
        return projects.access(owner, project.id());
    }

    /** Somebody new in the project. */
    public Access member(Access owner, Role role) {
        return member(owner, accounts.user("member"), role);
    }

    public Access member(Access owner, UserId user, Role role) {
        projects.put(owner.caller(), owner.project().id(), user, role);
        return projects.access(accounts.caller(user), owner.project().id());
    }

    /**
     * Makes a schema of attributes such as {@code "price numeric required min=0"}: a name, a type, flags ({@code required},
     * {@code unique}, {@code prefixSearch}), and values as JSON without spaces ({@code default=}, {@code enum=["a","b"]},
     * {@code min=}, {@code max=}, {@code pattern="a*"}, {@code references="person"}).
     */
    public Schema schema(Access owner, String name, String... attributes) {
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
    public List<RowId> insert(Access access, String schema, String... values) {
        return records
                .create(access, schema, Stream.of(values).map(TestRecords::json).toList(), true)
                .stream()
                .map(outcome -> ((Outcome.Written) outcome).row().id())
                .toList();
    }

    /** Makes one record. */
    public RowId one(Access access, String schema, String values) {
        return insert(access, schema, values).getFirst();
    }

    public RecordView get(Access access, String schema, RowId id) {
        return records.get(access, schema, id);
    }

    /** JSON with exact numbers and single quotes for double ones. */
    public static JsonNode json(String text) {
        return Json.exact().readTree(text.replace('\'', '"'));
    }

    /** A number out of SQL in which {@code @} stands for the project's suffix. */
    public int count(Access access, String sql) {
        return db.read(reads -> reads.query(sql.replace("@", access.tables().suffix()))
                .mapTo(Integer.class)
                .one());
    }

    @Override
    public void close() {
        accounts.close();
    }
}
