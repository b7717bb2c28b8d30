package io.hiroba.knowledge.posts;

import io.hiroba.accounts.UserId;
import java.util.List;

/** What a post says that some rule covers. */
record PostText(long post, UserId owner, String content, List<String> tags) {

    PostText {
        tags = List.copyOf(tags);
    }
}
