# Its submission is a folder, a pipe, a link and a device's name by turns, and a pipe at the end.
exec perl -MPOSIX -e '
  my $file = "$ENV{SUBMISSION_DIR}/submission.csv";
  my $end = time + 3;
  while (time < $end) {
    for my $make (sub { mkdir $file }, sub { POSIX::mkfifo($file, 0666) }, sub { symlink "/etc/passwd", $file },
                  sub { symlink "/dev/zero", $file }, sub { open my $f, ">", $file }) {
      $make->();
      select undef, undef, undef, 0.01;
      rmdir $file or unlink $file;
    }
  }
  POSIX::mkfifo($file, 0666);
'
