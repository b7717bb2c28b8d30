package io.hiroba.saga.call;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.call.Services.Service;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Reads and writes the registered services. */
final class ServiceStore {

    Optional<Service> find(Reads reads, String name) {
        return reads.query("""
                SELECT name, endpoint, updated_by, updated_at, async FROM saga.services
                WHERE name = :name
                """).bind("name", name).map(ServiceStore::service).findOne();
    }

    /** The endpoint, which stays until {@code tx} ends. */
    Optional<Endpoint> hold(Tx tx, String name) {
        return tx.query("SELECT endpoint FROM saga.services WHERE name = :name FOR SHARE")
                .bind("name", name)
                .mapTo(String.class)
                .findOne()
                .map(Endpoint::parse);
    }

    static final String LIST = """
            SELECT name, endpoint, updated_by, updated_at, async FROM saga.services
            WHERE name > :after
            ORDER BY name
            LIMIT :limit
            """;

    /** In binary order of the names, as the local ones they are merged with. */
    List<Service> list(Reads reads, String after, int limit) {
        return reads.query(LIST)
                .bind("after", after)
                .bind("limit", limit)
                .map(ServiceStore::service)
                .list();
    }

    /** True if the service is new: only then has its row no earlier version. */
    boolean save(Tx tx, String name, Endpoint endpoint, boolean async, String by) {
        return tx.query("""
                INSERT INTO saga.services AS s (name, endpoint, async, updated_by)
                VALUES (:name, :endpoint, :async, :by)
                ON CONFLICT (name) DO UPDATE
                SET endpoint = :endpoint, async = :async, updated_by = :by, updated_at = now()
                RETURNING s.xmax = 0 AS made
                """)
                .bind("name", name)
                .bind("endpoint", endpoint.toString())
                .bind("async", async)
                .bind("by", by)
                .map(row -> row.getBoolean("made"))
                .one();
    }

    boolean delete(Tx tx, String name) {
        return tx.update("DELETE FROM saga.services WHERE name = :name")
                        .bind("name", name)
                        .execute()
                == 1;
    }

    private static Service service(ResultSet row) throws SQLException {
        return new Service(
                row.getString("name"),
                Service.Origin.REGISTERED,
                Endpoint.parse(row.getString("endpoint")),
                row.getString("updated_by"),
                Columns.instant(row, "updated_at"),
                row.getBoolean("async"));
    }
}
