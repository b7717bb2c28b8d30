package io.hiroba.deletion;

import io.hiroba.accounts.UserId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Port to the projects of somebody whose account is to be deleted. */
public interface ProjectSuccessions {

    /** What becomes of the projects that nobody but {@code user} owns. */
    List<Succession> of(UserId user);

    /**
     * The fate of a project of which nobody else is an owner.
     *
     * @param successor the nickname of the member who becomes the owner; null if the project goes with the account
     */
    record Succession(String project, @Nullable String successor) {}
}
