package io.hiroba.deletion;

import io.hiroba.accounts.UserId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Port to what others may take over from somebody whose account is to be deleted. */
public interface Successions {

    /** What becomes of the projects that nobody but {@code user} owns. */
    List<Succession> projects(UserId user);

    /** What becomes of the collections of {@code user}. */
    List<Succession> collections(UserId user);

    /**
     * The fate of a project of which nobody else is an owner, or of a collection.
     *
     * @param successor the nickname of who becomes the owner; null if it goes with the account
     */
    record Succession(String name, @Nullable String successor) {}
}
