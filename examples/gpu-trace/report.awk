# Adds up what count.awk counted in every shard and prints the report.
BEGIN { FS = "\t"; order = "LC_ALL=C sort" }
NF != 5 {
    print "report.awk: line " NR " is not a count: " $0 > "/dev/stderr"
    failed = 1
    exit 1
}
{
    key = $1 FS $2
    requests[key] += $3
    demand[key] += $4
    seconds[key] += $5
}
END {
    if (failed) exit 1
    section("model", "wanted GPU model")
    section("quality", "quality class")
    section("day", "day of the trace")
}
function section(kind, title,    key, part) {
    printf "%-44s %10s %12s %14s\n", title, "requests", "GPUs wanted", "GPU hours"
    fflush()   # the lines below come from another process
    for (key in requests) {
        split(key, part, FS)
        if (part[1] == kind)
            printf "%-44s %10.0f %12.2f %14.1f\n", part[2], requests[key], demand[key] / 1000, seconds[key] / 3600000 | order
    }
    close(order)
    print ""
}
