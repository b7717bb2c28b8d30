package io.hiroba.records.sql;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.Schema;
import io.hiroba.records.Schemas;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Read access to the records of a project by SQL, for tools that make reports: a role of the database that sees a view of each
 * schema and nothing else. The database keeps the views as the schemas are, in the transactions that change them.
 */
public final class SqlAccess {

    /** The longest transaction of a reader: a change of schemas waits for it. */
    static final Duration MAX_TRANSACTION = Duration.ofSeconds(60);

    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final int PASSWORD_BYTES = 24;
    private static final Pattern ADDRESS = Pattern.compile("jdbc:postgresql://([^/,?]*).*");
    private static final String DEFAULT_PORT = "5432";

    private final Db db;
    private final Clock clock;
    private final DatabaseConfig database;
    private final Schemas schemas;
    private final AuditLog audit;
    private final SecureRandom random = new SecureRandom();
    private final SqlAccessStore store = new SqlAccessStore();

    public SqlAccess(Db db, Clock clock, DatabaseConfig database, Schemas schemas) {
        this.db = db;
        this.clock = clock;
        this.database = database;
        this.schemas = schemas;
        this.audit = new AuditLog(db);
    }

    /**
     * The address that a reader connects to.
     *
     * @param host as this server reaches the database
     * @param role the user name
     */
    public record Connection(String host, String port, String database, String role) {

        /** Whether only programs on the machine of the database reach it. */
        public boolean isLocal() {
            return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
        }
    }

    /** A schema and its view. */
    public record SqlView(String schema, String view) {}

    /**
     * The access of a project.
     *
     * @param readsAs the role whose rules hold in the views
     * @param omitted the schemas without a view, since that role sees only some of their records
     */
    public record Details(
            Connection connection, ProjectRole readsAs, List<SqlView> views, List<String> omitted, Instant createdAt) {

        public Details {
            views = List.copyOf(views);
            omitted = List.copyOf(omitted);
        }
    }

    /**
     * An access that was just given.
     *
     * @param password which is told this once
     */
    public record Opened(Details details, String password) {}

    /** The access of the project, for its owners. */
    public Optional<Details> find(ProjectAccess access) {
        access.requireOwner();
        return db.read(reads -> find(reads, access));
    }

    /** The same; a problem if there is none. */
    Details get(ProjectAccess access) {
        return find(access).orElseThrow(SqlAccessProblem::none);
    }

    private Optional<Details> find(Reads reads, ProjectAccess access) {
        return store.find(reads, access.project().id()).map(row -> {
            var names = schemas.list(reads, access).stream().collect(Collectors.toMap(Schema::id, Schema::name));
            var views = new ArrayList<SqlView>();
            for (var view : store.views(reads, access.project().id())) {
                var schema = names.remove(view.schema());
                if (schema != null) {
                    views.add(new SqlView(schema, view.name()));
                }
            }
            return new Details(
                    connection(row.role(), store.database(reads)),
                    row.readsAs(),
                    views,
                    names.values().stream().sorted().toList(),
                    row.createdAt());
        });
    }

    private Connection connection(String role, String name) {
        var address = ADDRESS.matcher(database.url());
        var authority = address.matches() ? address.group(1) : "localhost";
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon >= 0 && colon > authority.lastIndexOf(']');
        return new Connection(
                hasPort ? authority.substring(0, colon) : authority,
                hasPort ? authority.substring(colon + 1) : DEFAULT_PORT,
                name,
                role);
    }

    /** Gives access, or another password and the rules of another role to the access that there is. */
    public Opened open(ProjectAccess access, ProjectRole readsAs) {
        access.requireOwner();
        var bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        var password = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        var verifier = ScramVerifier.of(password, random);
        try {
            return db.inTransaction(tx -> {
                store.open(tx, access.tables(), verifier, readsAs, clock.instant());
                audit.record(tx, access.caller(), AuditLog.Action.SQL_ACCESS_OPENED, target(access));
                return new Opened(find(tx, access).orElseThrow(), password);
            });
        } catch (DbException e) {
            if (SqlState.is(e, INSUFFICIENT_PRIVILEGE)) {
                throw SqlAccessProblem.noRoles();
            }
            throw e;
        }
    }

    /** Takes the access away, and ends what its readers are in the middle of. */
    public void close(ProjectAccess access) {
        access.requireOwner();
        db.useTransaction(tx -> {
            if (!store.close(tx, access.tables())) {
                throw SqlAccessProblem.none();
            }
            audit.record(tx, access.caller(), AuditLog.Action.SQL_ACCESS_CLOSED, target(access));
        });
    }

    private static Target target(ProjectAccess access) {
        var project = access.project();
        return Target.of(TargetKind.PROJECT, project.id().hex(), project.name(), project.client());
    }

    /** Ends transactions of readers that last too long, and what holds locks. */
    void endLong() {
        db.useTransaction(tx -> store.endLong(tx, MAX_TRANSACTION));
    }
}
