package io.hiroba.inbox.gitlab.handling;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.PersonId;
import io.hiroba.platform.db.Reads;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What people were told already, in the database. */
final class TellerStore {

    /** Those of {@code people} whom this very news did not reach yet. Requests for access are told apart by who asks. */
    List<Person> untold(Reads reads, News news, List<Person> people) {
        if (people.isEmpty()) {
            return people;
        }
        var asking =
                news.action() == Action.MEMBER_ACCESS_REQUESTED ? news.author().person() : null;
        var users = people.stream()
                .flatMap(person -> person.account().stream())
                .map(UserId::value)
                .toArray(Long[]::new);
        var told = reads.query("""
                        SELECT n.user_id
                        FROM %s link
                        JOIN inbox.notifications n ON n.user_id = link.user_id AND n.id = link.notification_id
                        WHERE link.resource_id = :resource AND link.user_id = ANY (:users)
                          AND n.action = :action AND n.happened_at = :at
                          AND (CAST(:asking AS BIGINT) IS NULL OR n.author_person_id = :asking)
                        """.formatted(news.resource().type().links()))
                .bind("resource", news.resource().id().value())
                .bindArray("users", Long.class, (Object[]) users)
                .bind("action", news.action().code())
                .bind("at", news.at().atOffset(ZoneOffset.UTC))
                .bind("asking", asking == null ? null : asking.value())
                .mapTo(Long.class)
                .collect(Collectors.toSet());
        var waiting = waiting(reads, news, people);
        return people.stream()
                .filter(person -> person.account()
                        .map(user -> !told.contains(user.value()))
                        .orElseGet(() -> !waiting.contains(person.id().value())))
                .toList();
    }

    private static Set<Long> waiting(Reads reads, News news, List<Person> people) {
        var strangers = people.stream()
                .filter(person -> person.user() == null)
                .map(Person::id)
                .map(PersonId::value)
                .toArray(Long[]::new);
        if (strangers.length == 0) {
            return Set.of();
        }
        return reads.query("""
                        SELECT person_id
                        FROM inbox.waiting
                        WHERE resource_id = :resource AND person_id = ANY (:people)
                          AND action = :action AND happened_at = :at
                        """)
                .bind("resource", news.resource().id().value())
                .bindArray("people", Long.class, (Object[]) strangers)
                .bind("action", news.action().code())
                .bind("at", news.at().atOffset(ZoneOffset.UTC))
                .mapTo(Long.class)
                .collect(Collectors.toSet());
    }

    /** Those who want to keep what is moot. */
    List<Person> keepers(Reads reads, List<Person> people) {
        var users = people.stream()
                .flatMap(person -> person.account().stream())
                .map(UserId::value)
                .toArray(Long[]::new);
        if (users.length == 0) {
            return List.of();
        }
        var keeping = reads.query("SELECT user_id FROM inbox.settings WHERE user_id = ANY (:users) AND keep_moot")
                .bindArray("users", Long.class, (Object[]) users)
                .mapTo(Long.class)
                .collect(Collectors.toSet());
        return people.stream()
                .filter(person -> person.account()
                        .filter(user -> keeping.contains(user.value()))
                        .isPresent())
                .toList();
    }
}
