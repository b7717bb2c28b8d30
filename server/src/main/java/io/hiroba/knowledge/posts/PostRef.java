package io.hiroba.knowledge.posts;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.id.Ids;

/** A post, which may be gone, and whose it is. */
record PostRef(long post, UserId owner) {

    String origin() {
        return "post:" + hex();
    }

    String hex() {
        return Ids.hex(post);
    }
}
