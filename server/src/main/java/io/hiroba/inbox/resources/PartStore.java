package io.hiroba.inbox.resources;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.List;

/** Who plays which part, in the database. */
final class PartStore {

    List<Person> players(Reads reads, ResourceId resource, Part part) {
        return reads.query("""
                        SELECT p.id, p.username, p.user_id
                        FROM inbox.parts
                        JOIN inbox.people p ON p.id = parts.person_id
                        WHERE parts.resource_id = :resource AND parts.part = :part
                        ORDER BY p.id
                        """)
                .bind("resource", resource.value())
                .bind("part", part.text())
                .map(row -> PersonStore.person(row))
                .list();
    }

    void cast(Tx tx, ResourceId resource, Part part, Collection<PersonId> people) {
        var ids = people.stream().map(PersonId::value).sorted().toArray(Long[]::new);
        tx.update("""
                        DELETE FROM inbox.parts
                        WHERE resource_id = :resource AND part = :part AND person_id <> ALL (:people)
                        """)
                .bind("resource", resource.value())
                .bind("part", part.text())
                .bindArray("people", Long.class, (Object[]) ids)
                .execute();
        tx.update("""
                        INSERT INTO inbox.parts (resource_id, part, person_id)
                        SELECT :resource, :part, person FROM unnest(:people) AS person
                        ON CONFLICT DO NOTHING
                        """)
                .bind("resource", resource.value())
                .bind("part", part.text())
                .bindArray("people", Long.class, (Object[]) ids)
                .execute();
    }

    void add(Tx tx, ResourceId resource, Part part, PersonId person) {
        tx.update("""
                        INSERT INTO inbox.parts (resource_id, part, person_id) VALUES (:resource, :part, :person)
                        ON CONFLICT DO NOTHING
                        """)
                .bind("resource", resource.value())
                .bind("part", part.text())
                .bind("person", person.value())
                .execute();
    }
}
