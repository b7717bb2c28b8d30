package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A person as a connection knows them.
 *
 * @param user their account here, if they have one and it is known
 */
public record ExternalPerson(
        PersonId id, @Nullable String username, @Nullable UserId user) {

    public Optional<UserId> account() {
        return Optional.ofNullable(user);
    }

    public boolean isAmong(Collection<ExternalPerson> people) {
        return people.stream().anyMatch(other -> other.id().equals(id));
    }

    public static List<ExternalPerson> minus(Collection<ExternalPerson> people, Collection<ExternalPerson> others) {
        return people.stream().filter(person -> !person.isAmong(others)).toList();
    }

    public static List<ExternalPerson> distinct(Collection<ExternalPerson> people) {
        var distinct = new LinkedHashMap<PersonId, ExternalPerson>();
        people.forEach(person -> distinct.putIfAbsent(person.id(), person));
        return List.copyOf(distinct.values());
    }
}
