/**
 * Pictures that people upload: images for their posts, and avatars.
 *
 * <p>A picture is a row and three files named after it. The row comes first, marked unfinished; then the files; then
 * the row is finished, and only a finished row's files are served. A trigger queues the files of a deleted row, however
 * it is deleted, and the sweep deletes them; an unfinished row that nobody finishes is deleted by the sweep. So a crash
 * loses no picture whose upload was confirmed, and its remains are deleted within hours.
 */
@NullMarked
package io.hiroba.social.media;

import org.jspecify.annotations.NullMarked;
