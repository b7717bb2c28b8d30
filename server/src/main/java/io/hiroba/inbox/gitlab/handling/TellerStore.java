package io.hiroba.inbox.gitlab.handling;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.PersonId;
import io.hiroba.platform.db.Reads;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What people were told already, in the database. */
final class TellerStore {

    private static final Set<Action> BY_AUTHOR = Set.of(Action.MEMBER_ACCESS_REQUESTED, Action.REVIEW_SUBMITTED);

    /** Those of {@code people} whom this very news did not reach yet. */
    List<Person> untold(Reads reads, News news, List<Person> people) {
        if (people.isEmpty()) {
            return people;
        }
        var told = told(
                reads,
                news,
                people.stream().flatMap(person -> person.account().stream()).toList());
        var waiting = waiting(reads, news, people);
        return people.stream()
                .filter(person -> person.account()
                        .map(user -> !told.contains(user.value()))
                        .orElseGet(() -> !waiting.contains(person.id().value())))
                .toList();
    }

    List<UserId> untoldUsers(Reads reads, News news, Collection<UserId> users) {
        var told = told(reads, news, users);
        return users.stream().filter(user -> !told.contains(user.value())).toList();
    }

    /** Who asks for access or reviews, where that tells apart what happens at the same time. */
    private static @Nullable Long author(News news) {
        var person = news.author().person();
        return person == null || !BY_AUTHOR.contains(news.action()) ? null : person.value();
    }

    private static Set<Long> told(Reads reads, News news, Collection<UserId> users) {
        return reads.query("""
                        SELECT n.user_id
                        FROM %s link
                        JOIN inbox.notifications n ON n.user_id = link.user_id AND n.id = link.notification_id
                        WHERE link.resource_id = :resource AND link.user_id = ANY (:users)
                          AND n.action = :action AND n.happened_at = :at
                          AND (CAST(:author AS BIGINT) IS NULL OR n.author_person_id = :author)
                        """.formatted(news.resource().type().links()))
                .bind("resource", news.resource().id().value())
                .bindArray("users", Long.class, (Object[])
                        users.stream().map(UserId::value).toArray(Long[]::new))
                .bind("action", news.action().code())
                .bind("at", news.at().atOffset(ZoneOffset.UTC))
                .bind("author", author(news))
                .mapTo(Long.class)
                .set();
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
                          AND (CAST(:author AS BIGINT) IS NULL OR author_person_id = :author)
                        """)
                .bind("resource", news.resource().id().value())
                .bindArray("people", Long.class, (Object[]) strangers)
                .bind("action", news.action().code())
                .bind("at", news.at().atOffset(ZoneOffset.UTC))
                .bind("author", author(news))
                .mapTo(Long.class)
                .set();
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
                .set();
        return people.stream()
                .filter(person -> person.account()
                        .filter(user -> keeping.contains(user.value()))
                        .isPresent())
                .toList();
    }
}
